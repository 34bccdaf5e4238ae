// Hand-built tables and plans for the tests of the CPU backend.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "data/value.hpp"
#include "execution/cpu/cpu_backend.hpp"

namespace saccade::cpu_test {

using namespace physical;

// One value: null, an integer (booleans are 0 and 1) or a double.
struct Cell {
  bool null = false;
  int128 integer = 0;
  double real = 0;
  bool operator==(const Cell& other) const {
    if (null || other.null) return null == other.null;
    const bool same_real = real == other.real || (real != real && other.real != other.real);
    return integer == other.integer && same_real;
  }
};
using CellRow = std::vector<Cell>;

inline Cell integer(int128 value) {
  return {false, value, 0};
}
inline Cell real(double value) {
  return {false, 0, value};
}
inline Cell null() {
  return {true, 0, 0};
}

inline const DataType kBoolean{TypeKind::kBoolean};
inline const DataType kBigint{TypeKind::kBigint};
inline const DataType kDouble{TypeKind::kDouble};
inline const DataType kText{TypeKind::kText};

struct TestColumn {
  DataType type = kBigint;
  Encoding encoding;
  std::int64_t base = 0;
  std::vector<Cell> cells;
  std::shared_ptr<const Dictionary> dictionary;
};

// A column of bigints in the narrowest encoding that holds it.
inline TestColumn column_of(std::vector<Cell> cells, DataType type = kBigint) {
  std::optional<Bounds> bounds;
  for (const Cell& cell : cells) {
    if (cell.null) continue;
    if (!bounds) bounds = Bounds{cell.integer, cell.integer};
    bounds->low = std::min(bounds->low, cell.integer);
    bounds->high = std::max(bounds->high, cell.integer);
  }
  TestColumn column{type, choose_encoding(type, bounds), 0, std::move(cells), nullptr};
  const bool based = column.encoding.form == Form::kNarrowed || column.encoding.form == Form::kConstant;
  if (based && bounds) column.base = static_cast<std::int64_t>(bounds->low);
  return column;
}

inline TestColumn column_of(const std::vector<std::int64_t>& values) {
  std::vector<Cell> cells;
  for (const std::int64_t value : values) cells.push_back(integer(value));
  return column_of(std::move(cells));
}

class TestTable : public Table {
 public:
  TestTable(std::string name, std::vector<TestColumn> columns, std::int64_t chunk_size)
      : name_(std::move(name)), columns_(std::move(columns)), chunk_size_(chunk_size) {
    rows_ = columns_.empty() ? 0 : static_cast<std::int64_t>(columns_[0].cells.size());
  }
  const std::string& name() const override { return name_; }
  std::uint64_t version() const override { return 1; }
  const std::vector<ColumnInfo>& columns() const override { return info_; }
  std::int64_t row_count() const override { return rows_; }
  void prepare(std::span<const int>, MemoryPool&) override {}
  std::int64_t chunk_count(int rank, int ranks) const override {
    const std::int64_t all = (rows_ + chunk_size_ - 1) / chunk_size_;
    return (all - rank + ranks - 1) / ranks;
  }
  std::int64_t chunk_rows(int rank, int ranks, std::int64_t chunk) const override {
    return std::min(chunk_size_, rows_ - start(rank, ranks, chunk));
  }
  std::optional<Bounds> chunk_bounds(int rank, int ranks, std::int64_t chunk, int column) const override {
    MemoryPool pool("bounds", 0);
    return encode(rank, ranks, chunk, column, pool).bounds;
  }
  std::vector<Column> load(int rank, int ranks, std::int64_t chunk, std::span<const int> columns,
                           MemoryPool& pool) const override {
    std::vector<Column> result;
    for (const int column : columns) result.push_back(encode(rank, ranks, chunk, column, pool));
    return result;
  }
  const std::vector<TestColumn>& cells() const { return columns_; }

 private:
  std::int64_t start(int rank, int ranks, std::int64_t chunk) const { return (chunk * ranks + rank) * chunk_size_; }

  Column encode(int rank, int ranks, std::int64_t chunk, int number, MemoryPool& pool) const {
    const TestColumn& column = columns_[static_cast<std::size_t>(number)];
    const std::int64_t begin = start(rank, ranks, chunk);
    const std::int64_t n = chunk_rows(rank, ranks, chunk);
    const Lane lane = column.type.kind == TypeKind::kBoolean  ? Lane::kBoolean
                      : column.type.kind == TypeKind::kDouble ? Lane::kFloat64
                                                              : Lane::kInt128;
    const auto values = Buffer::allocate(n * lane_bytes(lane), pool);
    std::shared_ptr<Buffer> validity = Buffer::allocate_zeroed((n + 63) / 64 * 8, pool);
    bool any_null = false;
    for (std::int64_t i = 0; i < n; ++i) {
      const Cell& cell = column.cells[static_cast<std::size_t>(begin + i)];
      any_null |= cell.null;
      if (!cell.null) validity->as<std::uint64_t>()[i / 64] |= std::uint64_t{1} << (i % 64);
      if (lane == Lane::kBoolean) values->as<std::uint8_t>()[i] = static_cast<std::uint8_t>(cell.integer);
      if (lane == Lane::kInt128) values->as<int128>()[i] = cell.integer;
      if (lane == Lane::kFloat64) values->as<double>()[i] = cell.real;
    }
    return encode_column(column.type, column.encoding, column.base, values->data(), lane, n, any_null ? validity : nullptr,
                         column.dictionary, pool, name_);
  }

  std::string name_;
  std::vector<TestColumn> columns_;
  std::int64_t chunk_size_;
  std::int64_t rows_ = 0;
  std::vector<ColumnInfo> info_;
};

// ---- nodes ----------------------------------------------------------------------------------------------------------------

inline Node call(FunctionId function, std::vector<Node> arguments) {
  const ScalarFunction& entry = scalar_function(function);
  Node node{NodeKind::kCall, entry.result, false, entry.can_fail, -1, function, {}, std::move(arguments)};
  for (const Node& argument : node.arguments) {
    node.nullable |= argument.nullable;
    node.can_fail |= argument.can_fail;
  }
  return node;
}

inline Node combine(NodeKind kind, Lane lane, std::vector<Node> arguments) {
  Node node{kind, lane, false, false, -1, FunctionId{}, {}, std::move(arguments)};
  for (const Node& argument : node.arguments) {
    node.nullable |= argument.nullable;
    node.can_fail |= argument.can_fail;
  }
  if (kind == NodeKind::kIsNull) node.nullable = false;
  return node;
}

// Grows one pipeline: slots and literals get the next number.
struct PipelineBuilder {
  Pipeline pipeline;

  int slot(std::string name, Lane lane = Lane::kInt64, bool nullable = false) {
    Slot slot;
    slot.name = std::move(name);
    slot.lane = lane;
    slot.nullable = nullable;
    slot.type = lane == Lane::kBoolean ? kBoolean : lane == Lane::kFloat64 ? kDouble : kBigint;
    pipeline.slots.push_back(slot);
    return static_cast<int>(pipeline.slots.size()) - 1;
  }
  Node at(int slot) const {
    const Slot& entry = pipeline.slots[static_cast<std::size_t>(slot)];
    return {NodeKind::kSlot, entry.lane, entry.nullable, false, slot, FunctionId{}, {}, {}};
  }
  Node literal(int128 value, Lane lane = Lane::kInt64) {
    Literal entry;
    entry.lane = lane;
    entry.integer = value;
    return add(entry);
  }
  Node real_literal(double value) {
    Literal entry;
    entry.lane = Lane::kFloat64;
    entry.real = value;
    return add(entry);
  }
  Node null_literal(Lane lane = Lane::kInt64) {
    Literal entry;
    entry.lane = lane;
    entry.is_null = true;
    return add(entry);
  }
  // Scans columns of a table into slots, in order.
  void scan(const TestTable& table, const std::vector<std::pair<int, int>>& column_to_slot) {
    TableScan scan;
    scan.table = table.name();
    for (const auto& [column, slot] : column_to_slot) {
      const TestColumn& cells = table.cells()[static_cast<std::size_t>(column)];
      scan.columns.push_back({column, slot, cells.encoding, cells.base});
    }
    pipeline.source = scan;
  }
  // Scans all columns; returns their slots.
  std::vector<int> scan_all(const TestTable& table) {
    std::vector<std::pair<int, int>> columns;
    std::vector<int> slots;
    for (std::size_t c = 0; c < table.cells().size(); ++c) {
      const TestColumn& column = table.cells()[c];
      bool nullable = false;
      for (const Cell& cell : column.cells) nullable |= cell.null;
      const Lane lane = column.type.kind == TypeKind::kBoolean                                ? Lane::kBoolean
                        : column.type.kind == TypeKind::kDouble                               ? Lane::kFloat64
                        : column.encoding.form == Form::kPlain && column.encoding.width == 16 ? Lane::kInt128
                                                                                              : Lane::kInt64;
      slots.push_back(slot(std::string("c").append(std::to_string(c)), lane, nullable));
      columns.emplace_back(static_cast<int>(c), slots.back());
    }
    scan(table, columns);
    return slots;
  }
  void filter(Node predicate) { pipeline.steps.emplace_back(Filter{std::move(predicate), "", 1}); }
  int compute(Node expression, bool nullable = false) {
    const int result = slot("computed", expression.lane, nullable || expression.nullable);
    pipeline.steps.emplace_back(Compute{{result}, {std::move(expression)}});
    return result;
  }

 private:
  Node add(const Literal& literal) {
    pipeline.literals.push_back(literal);
    return {NodeKind::kLiteral,
            literal.lane,
            literal.is_null,
            false,
            static_cast<int>(pipeline.literals.size()) - 1,
            FunctionId{},
            {},
            {}};
  }
};

// ---- running --------------------------------------------------------------------------------------------------------------

inline Cell cell_at(const LaneColumn& column, std::int64_t row) {
  if (!column.is_valid(row)) return null();
  switch (column.lane) {
    case Lane::kBoolean:
      return integer(column.as<std::uint8_t>()[row]);
    case Lane::kInt64:
      return integer(column.as<std::int64_t>()[row]);
    case Lane::kInt128:
      return integer(column.as<int128>()[row]);
    default:
      return real(column.as<double>()[row]);
  }
}

inline std::vector<CellRow> cell_rows(const RowSet& rows) {
  std::vector<CellRow> result(static_cast<std::size_t>(rows.rows));
  for (std::int64_t i = 0; i < rows.rows; ++i) {
    for (const LaneColumn& column : rows.columns) result[static_cast<std::size_t>(i)].push_back(cell_at(column, i));
  }
  return result;
}

// Tables by name and everything a query needs; runs plans on the CPU backend.
struct Fixture {
  MemoryPool pool{"query", 0};
  Cancellation cancellation;
  Profile profile;
  std::map<std::string, std::shared_ptr<TestTable>> tables;
  std::unique_ptr<Backend> backend = make_cpu_backend();
  std::vector<PipelineProfile> profiles;

  const TestTable& add(std::string name, std::vector<TestColumn> columns, std::int64_t chunk_size = 5000) {
    auto table = std::make_shared<TestTable>(name, std::move(columns), chunk_size);
    tables[name] = table;
    return *table;
  }

  // The rows of the last pipeline.
  std::vector<CellRow> run(const Plan& plan, int threads = 1, int rank = 0, int ranks = 1) {
    QueryContext query{{}, pool, cancellation, profile, threads};
    query.settings.verify = true;
    RunState state{plan, query, rank, ranks, {}, [&](const TableScan& scan) { return tables.at(scan.table); }};
    state.outputs.resize(plan.pipelines.size());
    profiles.assign(plan.pipelines.size(), {});
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p) {
      state.outputs[p] = backend->run(plan.pipelines[p], state, profiles[p]);
    }
    return cell_rows(state.outputs.back()->host_rows());
  }
};

inline Plan plan_of(std::vector<PipelineBuilder> builders) {
  Plan plan;
  for (PipelineBuilder& builder : builders) {
    builder.pipeline.id = static_cast<int>(plan.pipelines.size());
    plan.pipelines.push_back(std::move(builder.pipeline));
  }
  return plan;
}

// The SQLSTATE that a call raises; empty: none.
template <class Call>
std::string sqlstate_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.sqlstate();
  }
  return {};
}

}  // namespace saccade::cpu_test
