// Columns read in parts (blocks of a CSV file, batches of an Arrow file), each part on one thread, and the table made of them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/table.hpp"
#include "data/row_set.hpp"
#include "data/text_store.hpp"

namespace saccade {

// One column of one part, filled row by row by one thread.
class PartColumn {
 public:
  // The lane is that of the type. `pool` counts values and strings and must outlive this.
  PartColumn(const DataType& type, std::int64_t rows, MemoryPool& pool);

  void set_null(std::int64_t row);
  template <class T>
  void set(std::int64_t row, T value) {
    values_->as<T>()[row] = value;
  }
  // Valid UTF-8 for text. Errors: 53200.
  void set_text(std::int64_t row, std::string_view text);

  const DataType& type() const { return type_; }
  Lane lane() const { return lane_; }
  MemoryPool& pool() const { return pool_; }
  bool is_null(std::int64_t row) const { return valid_ != nullptr && valid_->as<std::uint8_t>()[row] == 0; }

  // The value of another column of the same type, whose strings are kept by keep_strings().
  void copy_value(std::int64_t row, const PartColumn& from, std::int64_t from_row);
  void keep_strings(PartColumn& from);

  // The values as rows have them; strings stay here.
  LaneColumn take_lane() { return {lane_, std::move(values_), std::move(valid_)}; }

 private:
  DataType type_;
  Lane lane_;
  std::int64_t rows_;
  MemoryPool& pool_;
  std::unique_ptr<Buffer> values_, valid_;           // valid_: once there is a null
  std::vector<std::unique_ptr<TextArena>> strings_;  // the first is this column's own
  std::vector<TextValue> recent_;                    // strings by their hash: most columns repeat them, and one copy serves
};

struct Part {
  std::int64_t rows = 0;
  std::vector<PartColumn> columns;
};

// The parts in order as a table on one rank, counted in `kept`; what is needed on the way, in `pool`. The parts are used up.
// Errors: 53200, 57014.
std::shared_ptr<Table> make_parts_table(std::vector<std::string> names, std::vector<DataType> types, std::vector<Part> parts,
                                        int threads, MemoryPool& kept, MemoryPool& pool);

// Calls body(0) .. body(count - 1) on up to `threads` threads. Of several that fail, the first in order is told.
void for_each_part(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body);

}  // namespace saccade
