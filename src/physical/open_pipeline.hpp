// A pipeline while the planner builds it, and what is proven of its rows. Used by the planner and the lowering only.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "physical/physical_plan.hpp"
#include "plan/expression.hpp"

namespace saccade::physical {

// Where the rows of a pipeline live when there are several ranks.
enum class Distribution : std::uint8_t { kSpread, kRankZero };

// A column that holds no value twice; `table` empty: proven, else assumed of that table's column.
struct UniqueColumn {
  std::string table;
  int column = -1;
};

struct OpenPipeline {
  Pipeline pipeline;
  std::map<ColumnId, int> columns;                                   // column > slot
  std::vector<std::shared_ptr<const Dictionary>> slot_dictionaries;  // by slot; null for what is no code
  std::vector<std::shared_ptr<const Dictionary>> text_dictionaries;  // what kDictionaryText nodes name
  std::map<ColumnId, UniqueColumn> unique;
  std::map<ColumnId, int> restricted;  // column > a build that has all its values as its key
  int128 max_rows = 1;                 // no more rows than this over all ranks, proven
  double rows = 1;                     // estimated
  Distribution distribution = Distribution::kSpread;

  int add_slot(Slot slot, std::shared_ptr<const Dictionary> dictionary) {
    pipeline.slots.push_back(std::move(slot));
    slot_dictionaries.push_back(std::move(dictionary));
    return static_cast<int>(pipeline.slots.size()) - 1;
  }
};

}  // namespace saccade::physical
