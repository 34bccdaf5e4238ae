#include "storage/csv/csv_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/error.hpp"
#include "memory/buffer.hpp"

namespace saccade {
namespace {

constexpr std::int64_t kBlockBytes = std::int64_t{4} << 20;

const char* find(const char* begin, const char* end, char c) {
  const void* found = begin < end ? std::memchr(begin, c, static_cast<std::size_t>(end - begin)) : nullptr;
  return found == nullptr ? end : static_cast<const char*>(found);
}

// Follows quotes and line ends window by window. A quote that stands where none may is found when its row is read.
class Indexer {
 public:
  Indexer(const InputFile& file, const CsvDialect& dialect, std::int64_t offset, std::int64_t first_line, bool one_column)
      : file_(file), dialect_(dialect), row_begin_(offset), line_(first_line), one_column_(one_column) {
    block_ = {offset, 0, first_line, 0};
  }

  void window(const char* begin, const char* end, std::int64_t offset) {
    const char* at = begin;
    const char* quote = dialect_.quote == '\0' ? end : find(begin, end, dialect_.quote);
    while (at < end) {
      if (in_quotes_) {
        at = skip_quoted(at, end);
        if (!in_quotes_) closed_at_ = offset + (at - begin);
        quote = find(at, end, dialect_.quote);
        continue;
      }
      const char* line_end = find(at, end, '\n');
      if (quote < line_end) {
        open_quote(quote > begin ? quote[-1] : last_byte_, offset + (quote - begin));
        at = quote + 1;
        continue;
      }
      if (line_end == end) break;
      const bool return_before = line_end > begin ? line_end[-1] == '\r' : last_byte_ == '\r';
      ++line_;
      end_row(offset + (line_end - begin) + 1, return_before ? 2 : 1);
      at = line_end + 1;
    }
    last_byte_ = end[-1];
  }

  std::vector<CsvBlock> finish(std::int64_t end) {
    if (in_quotes_) {
      throw Error(sqlstate::kBadCopyFileFormat,
                  fmt::format("file \"{}\", line {}: a quoted field is not closed", file_.path(), quote_line_), 0,
                  "Close it, or read the file without quotes: read_csv('...', quote => '').");
    }
    if (row_begin_ < end) end_row(end, last_byte_ == '\r' ? 1 : 0);
    if (block_.bytes > 0) blocks_.push_back(block_);
    return std::move(blocks_);
  }

 private:
  // Behind the quote that closes the field, or at the end.
  const char* skip_quoted(const char* at, const char* end) {
    if (dialect_.escape == dialect_.quote) {  // a doubled quote closes the field and opens it again
      const char* close = find(at, end, dialect_.quote);
      line_ += std::count(at, close, '\n');
      in_quotes_ = close == end;
      return std::min(end, close + 1);
    }
    for (; at < end; ++at) {
      if (std::exchange(after_escape_, false)) {
        line_ += *at == '\n' ? 1 : 0;
        continue;
      }
      if (*at == dialect_.quote) {
        in_quotes_ = false;
        return at + 1;
      }
      after_escape_ = *at == dialect_.escape;
      line_ += *at == '\n' ? 1 : 0;
    }
    return end;
  }

  // `before`: the byte before the quote.
  void open_quote(char before, std::int64_t offset) {
    const bool doubled = offset == closed_at_ && dialect_.escape == dialect_.quote;
    if (offset != row_begin_ && before != dialect_.delimiter && !doubled) {
      throw Error(sqlstate::kBadCopyFileFormat,
                  fmt::format("file \"{}\", line {}: a quote within a field that does not begin with one", file_.path(), line_),
                  0, "Double it within a quoted field, or read the file without quotes: read_csv('...', quote => '').");
    }
    in_quotes_ = true;
    if (!doubled) quote_line_ = line_;
  }

  // `next`: where the next row begins; `break_bytes`: of the line break before it.
  void end_row(std::int64_t next, std::int64_t break_bytes) {
    if (one_column_ || next - row_begin_ > break_bytes) ++block_.rows;
    row_begin_ = next;
    block_.bytes = next - block_.offset;
    if (block_.bytes < kBlockBytes) return;
    blocks_.push_back(block_);
    block_ = {next, 0, line_, 0};
  }

  const InputFile& file_;
  CsvDialect dialect_;
  std::int64_t row_begin_, line_;
  bool one_column_;
  bool in_quotes_ = false, after_escape_ = false;
  std::int64_t quote_line_ = 0;  // of the open quote
  std::int64_t closed_at_ = -1;  // behind the last closed one
  char last_byte_ = '\0';
  CsvBlock block_;
  std::vector<CsvBlock> blocks_;
};

}  // namespace

std::vector<CsvBlock> index_csv(const InputFile& file, const CsvDialect& dialect, std::int64_t offset, std::int64_t first_line,
                                bool one_column, MemoryPool& pool) {
  Indexer indexer(file, dialect, offset, first_line, one_column);
  const std::unique_ptr<Buffer> buffer = Buffer::allocate(std::min(kBlockBytes, file.size() - offset), pool);
  for (std::int64_t at = offset; at < file.size(); at += buffer->size()) {
    pool.check();
    const std::int64_t bytes = std::min(buffer->size(), file.size() - at);
    file.read(at, bytes, buffer->as<char>());
    indexer.window(buffer->as<char>(), buffer->as<char>() + bytes, at);
  }
  return indexer.finish(file.size());
}

}  // namespace saccade
