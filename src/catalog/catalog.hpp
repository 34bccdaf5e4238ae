// The tables of a database by name. Thread-safe; readers keep the version they looked up.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "catalog/table.hpp"

namespace saccade {

class Catalog {
 public:
  // Null where there is none.
  std::shared_ptr<Table> find(const std::string& name) const;
  // Errors: 42P07 where the name is taken.
  void create(std::shared_ptr<Table> table);
  // Returns false where there is none.
  bool drop(const std::string& name);
  std::vector<std::string> names() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Table>> tables_;
};

// What opens files as tables; implemented by storage, handed to the binder by the engine.
class FileOpener {
 public:
  virtual ~FileOpener() = default;
  // `call`: the text of a FileCall (catalog/file_call.hpp): read_file (by the file's ending), read_parquet, read_csv,
  // read_arrow and their options. Errors: 58P01 no such file, 42501, 42883, 22023 an option, 0A000, XX001, and those of the
  // format.
  virtual std::shared_ptr<Table> open(const std::string& call, const std::string& path) = 0;
};

}  // namespace saccade
