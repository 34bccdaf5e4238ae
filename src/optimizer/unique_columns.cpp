#include "optimizer/unique_columns.hpp"

#include <algorithm>

#include "optimizer/rewrite.hpp"

namespace saccade {
namespace {

bool scan_unique_by(const LogicalNode& node, const std::vector<ColumnId>& columns) {
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const ColumnInfo& info = node.table->columns().at(static_cast<std::size_t>(node.columns[i]));
    const bool wanted = std::binary_search(columns.begin(), columns.end(), node.outputs[i]);
    if (wanted && info.statistics.unique == Uniqueness::kProven) return true;
  }
  return false;
}

// The columns of the child that plain outputs among `columns` show.
std::vector<ColumnId> shown_by(const LogicalNode& node, const std::vector<ColumnId>& columns) {
  std::vector<ColumnId> shown;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const bool wanted = std::binary_search(columns.begin(), columns.end(), node.outputs[i]);
    if (wanted && node.expressions[i].operation == Operation::kColumn) shown.push_back(node.expressions[i].column);
  }
  std::sort(shown.begin(), shown.end());
  return shown;
}

}  // namespace

bool unique_by(const LogicalNode& node, const std::vector<ColumnId>& columns) {
  switch (node.kind) {
    case LogicalKind::kOneRow:
      return true;
    case LogicalKind::kScan:
      return scan_unique_by(node, columns);
    case LogicalKind::kAggregate:
      return std::all_of(node.outputs.begin(), node.outputs.end(),
                         [&](ColumnId key) { return std::binary_search(columns.begin(), columns.end(), key); });
    case LogicalKind::kProject:
      return unique_by(node.children.at(0), shown_by(node, columns));
    case LogicalKind::kFilter:
    case LogicalKind::kSort:
    case LogicalKind::kLimit:
      return unique_by(node.children.at(0), columns);
    case LogicalKind::kJoin:
      return !shows_right(node.join_kind) && unique_by(node.children.at(0), columns);
    default:
      return false;
  }
}

bool matches_at_most_once(const LogicalNode& join) {
  const std::vector<ColumnId> left = sorted_columns(join.children.at(0)), right = sorted_columns(join.children.at(1));
  std::vector<ColumnId> compared;
  for (const Expression& conjunct : join.conjuncts) {
    const auto equal = equal_operands(conjunct);
    if (!equal) continue;
    const bool straight = covered(columns_of(*equal->a), left);
    const Expression &of_left = straight ? *equal->a : *equal->b, &of_right = straight ? *equal->b : *equal->a;
    // A null-safe equality could find all the NULLs of a column that statistics call unique.
    const bool usable = !equal->null_safe && of_right.operation == Operation::kColumn && covered(columns_of(of_left), left);
    if (usable && covered({of_right.column}, right)) compared.push_back(of_right.column);
  }
  std::sort(compared.begin(), compared.end());
  return unique_by(join.children[1], compared);
}

}  // namespace saccade
