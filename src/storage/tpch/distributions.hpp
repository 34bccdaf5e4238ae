// The words and the fixed value lists of TPC-H's data (specification, clauses 4.2.2.13, 4.2.2.14 and 4.2.3), in the order and
// with the weights that dbgen draws them by.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace saccade::tpch {

struct WeightedWord {
  std::string_view word;
  int weight;
};

std::span<const WeightedWord> nouns();
std::span<const WeightedWord> verbs();
std::span<const WeightedWord> adjectives();
std::span<const WeightedWord> adverbs();
std::span<const WeightedWord> prepositions();
std::span<const WeightedWord> auxiliaries();
std::span<const WeightedWord> terminators();

// Values of equal weight; a value is told by its place.
using Choices = std::span<const std::string_view>;

Choices colors();
Choices part_types();
Choices containers();
Choices market_segments();
Choices order_priorities();
Choices ship_instructions();
Choices ship_modes();
Choices manufacturers();
Choices brands();  // five a manufacturer, in their order
Choices nations();
Choices regions();
Choices return_flags();  // the first two are drawn, the last is of lines not yet received
Choices line_statuses();
Choices order_statuses();
std::int64_t region_of_nation(std::int64_t nation);

}  // namespace saccade::tpch
