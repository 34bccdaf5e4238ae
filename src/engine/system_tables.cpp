#include "engine/system_tables.hpp"

#include <fmt/format.h>

#include <utility>

#include "common/error.hpp"
#include "engine/value_codec.hpp"
#include "storage/memory_table.hpp"

namespace saccade {

namespace {

constexpr DataType kText{TypeKind::kText};
constexpr DataType kInteger{TypeKind::kInteger};

Value text(std::string text) {
  return {kText, std::move(text)};
}

Value number(std::int64_t number) {
  return {kInteger, int128{number}};
}

// A table as it was when it was opened, under the name and call by which other ranks open it.
class SystemTable final : public Table {
 public:
  SystemTable(std::string name, std::shared_ptr<Table> rows) : name_(std::move(name)), rows_(std::move(rows)) {}

  const std::string& name() const override { return name_; }
  std::string opener() const override { return kInformationSchema; }
  std::uint64_t version() const override { return rows_->version(); }
  const std::vector<ColumnInfo>& columns() const override { return rows_->columns(); }
  std::int64_t row_count() const override { return rows_->row_count(); }
  void prepare(std::span<const int> columns, MemoryPool& pool) override { rows_->prepare(columns, pool); }
  std::int64_t chunk_count(int rank, int) const override { return rank == 0 ? rows_->chunk_count(0, 1) : 0; }
  std::int64_t chunk_rows(int, int, std::int64_t chunk) const override { return rows_->chunk_rows(0, 1, chunk); }
  std::optional<Bounds> chunk_bounds(int, int, std::int64_t chunk, int column) const override {
    return rows_->chunk_bounds(0, 1, chunk, column);
  }
  std::vector<Column> load(int, int, std::int64_t chunk, std::span<const int> columns, MemoryPool& pool) const override {
    return rows_->load(0, 1, chunk, columns, pool);
  }

 private:
  std::string name_;
  std::shared_ptr<Table> rows_;  // of one rank
};

// PostgreSQL's columns of these names; those that say nothing here are left out.
TableDefinition tables_definition() {
  return {"tables",
          {{"table_catalog", kText},
           {"table_schema", kText},
           {"table_name", kText},
           {"table_type", kText},
           {"is_insertable_into", kText}}};
}

TableDefinition columns_definition() {
  return {"columns",
          {{"table_catalog", kText},
           {"table_schema", kText},
           {"table_name", kText},
           {"column_name", kText},
           {"ordinal_position", kInteger},
           {"column_default", kText},
           {"is_nullable", kText},
           {"data_type", kText},
           {"numeric_precision", kInteger},
           {"numeric_scale", kInteger}}};
}

std::vector<Value> table_row(const std::string& name, bool is_view) {
  return {text("saccade"), text("public"), text(name), text(is_view ? "VIEW" : "BASE TABLE"), text(is_view ? "NO" : "YES")};
}

ValueRows table_rows(const Catalog& catalog) {
  ValueRows rows;
  for (const std::string& name : catalog.names()) rows.push_back(table_row(name, false));
  for (const std::string& name : catalog.view_names()) rows.push_back(table_row(name, true));
  return rows;
}

std::vector<Value> column_row(const std::string& table, const ColumnDefinition& column, int position) {
  const bool numeric = column.type.kind == TypeKind::kNumeric;
  const std::string type = to_string(column.type);
  return {text("saccade"),
          text("public"),
          text(table),
          text(column.name),
          number(position),
          column.default_value ? text(to_string(*column.default_value)) : Value::null(kText),
          text(column.not_null ? "NO" : "YES"),
          text(type.substr(0, type.find('('))),
          numeric ? number(column.type.precision) : Value::null(kInteger),
          numeric ? number(column.type.scale) : Value::null(kInteger)};
}

ValueRows column_rows(const Catalog& catalog) {
  ValueRows rows;
  for (const std::string& name : catalog.names()) {
    const std::shared_ptr<Table> table = catalog.find(name);
    if (table == nullptr) continue;
    int position = 0;
    for (const ColumnDefinition& column : definition_of(*table).columns) rows.push_back(column_row(name, column, ++position));
  }
  for (const std::string& name : catalog.view_names()) {
    const std::shared_ptr<const View> view = catalog.find_view(name);
    if (view == nullptr) continue;
    int position = 0;
    for (const View::Column& column : view->columns) rows.push_back(column_row(name, {column.name, column.type}, ++position));
  }
  return rows;
}

class SystemOpener final : public FileOpener {
 public:
  SystemOpener(std::unique_ptr<FileOpener> files, const Catalog& catalog, MemoryPool& pool)
      : files_(std::move(files)), catalog_(catalog), pool_(pool) {}

  std::shared_ptr<Table> open(const std::string& call, const std::string& name) override {
    if (call != kInformationSchema) return files_->open(call, name);
    if (name == "tables") return make(tables_definition(), table_rows(catalog_));
    if (name == "columns") return make(columns_definition(), column_rows(catalog_));
    throw Error(sqlstate::kUndefinedTable, fmt::format("relation \"{}.{}\" does not exist", kInformationSchema, name), 0,
                "There are information_schema.tables and information_schema.columns.");
  }

 private:
  std::shared_ptr<Table> make(const TableDefinition& definition, const ValueRows& rows) const {
    const AppendRequest request{make_empty_table(definition, 1, 0, pool_), rows, {0}, 1, 0, 1};
    const std::shared_ptr<Table> table = append_values(
        request, [](std::vector<ColumnSummary> local) { return local; }, pool_);
    return std::make_shared<SystemTable>(definition.name, table);
  }

  std::unique_ptr<FileOpener> files_;
  const Catalog& catalog_;
  MemoryPool& pool_;
};

}  // namespace

std::unique_ptr<FileOpener> make_system_opener(std::unique_ptr<FileOpener> files, const Catalog& catalog, MemoryPool& pool) {
  return std::make_unique<SystemOpener>(std::move(files), catalog, pool);
}

}  // namespace saccade
