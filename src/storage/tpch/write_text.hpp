// Generated rows as text: dbgen's own form and CSV.
#pragma once

#include <string>

#include "storage/tpch/generate.hpp"

namespace saccade::tpch {

// kTbl: each value followed by '|', no header. kCsv: values between commas, quoted where they hold a comma, under a header of
// the columns' names.
enum class TextFormat : std::uint8_t { kTbl, kCsv };

std::string text_header(TableId table, std::span<const int> columns, TextFormat format);
// `rows`: of these columns of the table. Appends to `out`.
void append_text(TableId table, std::span<const int> columns, const GeneratedRows& rows, TextFormat format, std::string& out);

}  // namespace saccade::tpch
