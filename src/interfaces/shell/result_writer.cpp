#include "interfaces/shell/result_writer.hpp"

namespace saccade::shell {

void write_rows(const Rows& rows, const PrintOptions& options, Output& output, std::string_view title) {
  switch (options.format) {
    case Format::kTable:
      return write_table(rows, options, output, title);
    case Format::kCsv:
      return write_csv(rows, options, output);
    case Format::kJson:
      return write_json(rows, output);
    case Format::kJsonLines:
      return write_json_lines(rows, output);
    case Format::kMarkdown:
      return write_markdown(rows, options, output);
    case Format::kLine:
      return write_lines(rows, options, output);
  }
}

}  // namespace saccade::shell
