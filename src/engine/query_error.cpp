#include "engine/query_error.hpp"

#include <saccade/saccade.hpp>

#include <new>
#include <string>

#include "common/error.hpp"

namespace saccade {

void raise_query_error() {
  try {
    throw;
  } catch (const QueryError&) {
    throw;
  } catch (const Error& error) {
    throw QueryError(error.sqlstate(), error.what(), error.position(), error.hint());
  } catch (const std::bad_alloc&) {
    throw QueryError(std::string(sqlstate::kOutOfMemory), "out of memory", 0, "Lower memory_limit or free memory.");
  } catch (const std::exception& error) {
    throw QueryError(std::string(sqlstate::kInternalError), error.what(), 0, "This is a fault of Saccade; please report it.");
  }
}

}  // namespace saccade
