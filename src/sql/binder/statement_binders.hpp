// The binders of single kinds of statement, which binder.cpp chooses from by the kind of the tree's root.
//
// Each fills in a BoundStatement from the fields of its node; one thread, one call of bind_statement. Errors: with their
// position, as bind_statement says.
#pragma once

#include <string>

#include "sql/binder/binder.hpp"
#include "sql/binder/binding_context.hpp"

namespace saccade {

// A name that stands for a table or view of the catalog. Errors: 0A000 for schemas other than public.
std::string relation_name(const BindingContext& context, const std::string& schema, const std::string& name, int position);
// The same from the fields of a RangeVar. Errors: 0A000 also for temporary and unlogged tables.
std::string relation_name(const BindingContext& context, const nlohmann::json& range_var);

// Gives the columns of a result their names, from the first on. Errors: 42601 too many, 42701 two of one name.
void name_columns(std::vector<ResultColumn>& result, const std::vector<std::string>& names, int position);

// ddl_binder.cpp
void bind_create_table(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement);
void bind_create_table_as(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement);
void bind_create_view(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement);
void bind_drop(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement);
void bind_truncate(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement);

// dml_binder.cpp
void bind_insert(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement);
void bind_update(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement);
void bind_delete(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement);

void bind_copy_from(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement);

// copy_binder.cpp
void bind_copy(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement);
// The query, as a SelectStmt's fields, that reads the file of a COPY ... FROM; of CSV with these columns.
nlohmann::json select_from_file(const BindingContext& context, const nlohmann::json& fields,
                                const std::vector<ColumnDefinition>& columns);

// setting_binder.cpp
void bind_set(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement);
void bind_show(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement);

// prepare_binder.cpp
void bind_prepare(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement);
void bind_execute(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement);
void bind_deallocate(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement);

// call_binder.cpp
void bind_call(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement);

}  // namespace saccade
