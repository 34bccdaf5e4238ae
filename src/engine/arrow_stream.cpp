// A result as an Arrow C stream. No exception leaves the callbacks: they return errno values and keep the message.
#include <saccade/saccade.hpp>

#include <cerrno>
#include <exception>
#include <new>
#include <string>
#include <utility>

namespace saccade {

namespace {

struct Stream {
  std::unique_ptr<QueryResult> result;
  std::string error;
};

Stream& of(ArrowArrayStream* stream) {
  return *static_cast<Stream*>(stream->private_data);
}

template <class Work>
int guarded(Stream& stream, const Work& work) {
  try {
    work();
    return 0;
  } catch (const QueryError& error) {
    stream.error = error.sqlstate + ": " + error.what();
    return error.sqlstate == "53200" ? ENOMEM : EIO;
  } catch (const std::bad_alloc&) {
    stream.error = "out of memory";
    return ENOMEM;
  } catch (const std::exception& error) {
    stream.error = error.what();
    return EIO;
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return guarded(of(stream), [&] { of(stream).result->arrow_schema(out); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  return guarded(of(stream), [&] {
    ArrowArray batch{};
    // The end is an array that counts as released.
    if (!of(stream).result->next_batch(&batch)) batch.release = nullptr;
    *out = batch;
  });
}

const char* get_last_error(ArrowArrayStream* stream) {
  const std::string& error = of(stream).error;
  return error.empty() ? nullptr : error.c_str();
}

void release(ArrowArrayStream* stream) {
  delete static_cast<Stream*>(stream->private_data);
  stream->release = nullptr;
}

}  // namespace

void export_stream(std::unique_ptr<QueryResult> result, ArrowArrayStream* out) {
  auto stream = std::make_unique<Stream>();
  stream->result = std::move(result);
  *out = {get_schema, get_next, get_last_error, release, stream.get()};
  stream.release();
}

}  // namespace saccade
