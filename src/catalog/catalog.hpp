// The tables and views of a database by name: a name stands for one of them. Thread-safe; readers keep the version they looked
// up.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "catalog/table.hpp"

namespace saccade {

// A query with a name. Immutable; bound anew, from its text, wherever it is named.
struct View {
  struct Column {
    std::string name;
    DataType type;
  };
  std::string name;
  std::string sql;                      // the SELECT
  std::vector<Column> columns;          // as they were when it was created
  std::vector<std::string> depends_on;  // tables and views that it names
};

class Catalog {
 public:
  // Null where there is none.
  std::shared_ptr<Table> find(const std::string& name) const;
  // Errors: 42P07 where the name is taken.
  void create(std::shared_ptr<Table> table);
  // A new version of a table, or a new table.
  void replace(std::shared_ptr<Table> table);
  // A table or view. Returns false where there is none.
  bool drop(const std::string& name);
  std::vector<std::string> names() const;  // of tables

  std::shared_ptr<const View> find_view(const std::string& name) const;
  // A new view, or another definition of one.
  void put_view(View view);
  std::vector<std::string> view_names() const;
  // The views that name `name`.
  std::vector<std::string> dependents(const std::string& name) const;
  // Whether one of `names` is `name`, or a view that depends on it.
  bool depends_on(const std::vector<std::string>& names, const std::string& name) const;

 private:
  bool reaches(const std::string& from, const std::string& name) const;  // under mutex_

  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Table>> tables_;
  std::map<std::string, std::shared_ptr<const View>> views_;
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
