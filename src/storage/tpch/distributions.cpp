#include "storage/tpch/distributions.hpp"

namespace saccade::tpch {
namespace {

constexpr WeightedWord kNounWords[] = {
    {"packages", 40},    {"requests", 40},    {"accounts", 40},      {"deposits", 40},     {"foxes", 20},    {"ideas", 20},
    {"theodolites", 20}, {"pinto beans", 20}, {"instructions", 20},  {"dependencies", 10}, {"excuses", 10},  {"platelets", 10},
    {"asymptotes", 10},  {"courts", 5},       {"dolphins", 5},       {"multipliers", 1},   {"sauternes", 1}, {"warthogs", 1},
    {"frets", 1},        {"dinos", 1},        {"attainments", 1},    {"somas", 1},         {"Tiresias", 1},  {"patterns", 1},
    {"forges", 1},       {"braids", 1},       {"frays", 1},          {"warhorses", 1},     {"dugouts", 1},   {"notornis", 1},
    {"epitaphs", 1},     {"pearls", 1},       {"tithes", 1},         {"waters", 1},        {"orbits", 1},    {"gifts", 1},
    {"sheaves", 1},      {"depths", 1},       {"sentiments", 1},     {"decoys", 1},        {"realms", 1},    {"pains", 1},
    {"grouches", 1},     {"escapades", 1},    {"hockey players", 1},
};

constexpr WeightedWord kVerbWords[] = {
    {"sleep", 20}, {"wake", 20},   {"are", 20},   {"cajole", 20},   {"haggle", 20},  {"nag", 10},    {"use", 10},
    {"boost", 10}, {"affix", 5},   {"detect", 5}, {"integrate", 5}, {"maintain", 1}, {"nod", 1},     {"was", 1},
    {"lose", 1},   {"sublate", 1}, {"solve", 1},  {"thrash", 1},    {"promise", 1},  {"engage", 1},  {"hinder", 1},
    {"print", 1},  {"x-ray", 1},   {"breach", 1}, {"eat", 1},       {"grow", 1},     {"impress", 1}, {"mold", 1},
    {"poach", 1},  {"serve", 1},   {"run", 1},    {"dazzle", 1},    {"snooze", 1},   {"doze", 1},    {"unwind", 1},
    {"kindle", 1}, {"play", 1},    {"hang", 1},   {"believe", 1},   {"doubt", 1},
};

constexpr WeightedWord kAdjectiveWords[] = {
    {"special", 20}, {"pending", 20},  {"unusual", 20}, {"express", 20}, {"furious", 1}, {"sly", 1},
    {"careful", 1},  {"blithe", 1},    {"quick", 1},    {"fluffy", 1},   {"slow", 1},    {"quiet", 1},
    {"ruthless", 1}, {"thin", 1},      {"close", 1},    {"dogged", 1},   {"daring", 1},  {"brave", 1},
    {"stealthy", 1}, {"permanent", 1}, {"enticing", 1}, {"idle", 1},     {"busy", 1},    {"regular", 50},
    {"final", 40},   {"ironic", 40},   {"even", 30},    {"bold", 20},    {"silent", 10},
};

constexpr WeightedWord kAdverbWords[] = {
    {"sometimes", 1},   {"always", 1},     {"never", 1},     {"furiously", 50}, {"slyly", 50},    {"carefully", 50},
    {"blithely", 40},   {"quickly", 30},   {"fluffily", 20}, {"slowly", 1},     {"quietly", 1},   {"ruthlessly", 1},
    {"thinly", 1},      {"closely", 1},    {"doggedly", 1},  {"daringly", 1},   {"bravely", 1},   {"stealthily", 1},
    {"permanently", 1}, {"enticingly", 1}, {"idly", 1},      {"busily", 1},     {"regularly", 1}, {"finally", 1},
    {"ironically", 1},  {"evenly", 1},     {"boldly", 1},    {"silently", 1},
};

constexpr WeightedWord kPrepositionWords[] = {
    {"about", 50},
    {"above", 50},
    {"according to", 50},
    {"across", 50},
    {"after", 50},
    {"against", 40},
    {"along", 40},
    {"alongside of", 30},
    {"among", 30},
    {"around", 20},
    {"at", 10},
    {"atop", 1},
    {"before", 1},
    {"behind", 1},
    {"beneath", 1},
    {"beside", 1},
    {"besides", 1},
    {"between", 1},
    {"beyond", 1},
    {"by", 1},
    {"despite", 1},
    {"during", 1},
    {"except", 1},
    {"for", 1},
    {"from", 1},
    {"in place of", 1},
    {"inside", 1},
    {"instead of", 1},
    {"into", 1},
    {"near", 1},
    {"of", 1},
    {"on", 1},
    {"outside", 1},
    {"over", 1},
    {"past", 1},
    {"since", 1},
    {"through", 1},
    {"throughout", 1},
    {"to", 1},
    {"toward", 1},
    {"under", 1},
    {"until", 1},
    {"up", 1},
    {"upon", 1},
    {"whithout", 1},
    {"with", 1},
    {"within", 1},
};

constexpr WeightedWord kAuxiliaryWords[] = {
    {"do", 1},           {"may", 1},          {"might", 1},         {"shall", 1},         {"will", 1},
    {"would", 1},        {"can", 1},          {"could", 1},         {"should", 1},        {"ought to", 1},
    {"must", 1},         {"will have to", 1}, {"shall have to", 1}, {"could have to", 1}, {"should have to", 1},
    {"must have to", 1}, {"need to", 1},      {"try to", 1},
};

constexpr WeightedWord kTerminatorWords[] = {
    {".", 50}, {";", 1}, {":", 1}, {"?", 1}, {"!", 1}, {"--", 1},
};

constexpr std::string_view kColorNames[] = {
    "almond",   "antique", "aquamarine", "azure",     "beige",      "bisque",    "black",     "blanched", "blue",
    "blush",    "brown",   "burlywood",  "burnished", "chartreuse", "chiffon",   "chocolate", "coral",    "cornflower",
    "cornsilk", "cream",   "cyan",       "dark",      "deep",       "dim",       "dodger",    "drab",     "firebrick",
    "floral",   "forest",  "frosted",    "gainsboro", "ghost",      "goldenrod", "green",     "grey",     "honeydew",
    "hot",      "indian",  "ivory",      "khaki",     "lace",       "lavender",  "lawn",      "lemon",    "light",
    "lime",     "linen",   "magenta",    "maroon",    "medium",     "metallic",  "midnight",  "mint",     "misty",
    "moccasin", "navajo",  "navy",       "olive",     "orange",     "orchid",    "pale",      "papaya",   "peach",
    "peru",     "pink",    "plum",       "powder",    "puff",       "purple",    "red",       "rose",     "rosy",
    "royal",    "saddle",  "salmon",     "sandy",     "seashell",   "sienna",    "sky",       "slate",    "smoke",
    "snow",     "spring",  "steel",      "tan",       "thistle",    "tomato",    "turquoise", "violet",   "wheat",
    "white",    "yellow",
};

constexpr std::string_view kTypeNames[] = {
    "STANDARD ANODIZED TIN",    "STANDARD ANODIZED NICKEL",  "STANDARD ANODIZED BRASS",   "STANDARD ANODIZED STEEL",
    "STANDARD ANODIZED COPPER", "STANDARD BURNISHED TIN",    "STANDARD BURNISHED NICKEL", "STANDARD BURNISHED BRASS",
    "STANDARD BURNISHED STEEL", "STANDARD BURNISHED COPPER", "STANDARD PLATED TIN",       "STANDARD PLATED NICKEL",
    "STANDARD PLATED BRASS",    "STANDARD PLATED STEEL",     "STANDARD PLATED COPPER",    "STANDARD POLISHED TIN",
    "STANDARD POLISHED NICKEL", "STANDARD POLISHED BRASS",   "STANDARD POLISHED STEEL",   "STANDARD POLISHED COPPER",
    "STANDARD BRUSHED TIN",     "STANDARD BRUSHED NICKEL",   "STANDARD BRUSHED BRASS",    "STANDARD BRUSHED STEEL",
    "STANDARD BRUSHED COPPER",  "SMALL ANODIZED TIN",        "SMALL ANODIZED NICKEL",     "SMALL ANODIZED BRASS",
    "SMALL ANODIZED STEEL",     "SMALL ANODIZED COPPER",     "SMALL BURNISHED TIN",       "SMALL BURNISHED NICKEL",
    "SMALL BURNISHED BRASS",    "SMALL BURNISHED STEEL",     "SMALL BURNISHED COPPER",    "SMALL PLATED TIN",
    "SMALL PLATED NICKEL",      "SMALL PLATED BRASS",        "SMALL PLATED STEEL",        "SMALL PLATED COPPER",
    "SMALL POLISHED TIN",       "SMALL POLISHED NICKEL",     "SMALL POLISHED BRASS",      "SMALL POLISHED STEEL",
    "SMALL POLISHED COPPER",    "SMALL BRUSHED TIN",         "SMALL BRUSHED NICKEL",      "SMALL BRUSHED BRASS",
    "SMALL BRUSHED STEEL",      "SMALL BRUSHED COPPER",      "MEDIUM ANODIZED TIN",       "MEDIUM ANODIZED NICKEL",
    "MEDIUM ANODIZED BRASS",    "MEDIUM ANODIZED STEEL",     "MEDIUM ANODIZED COPPER",    "MEDIUM BURNISHED TIN",
    "MEDIUM BURNISHED NICKEL",  "MEDIUM BURNISHED BRASS",    "MEDIUM BURNISHED STEEL",    "MEDIUM BURNISHED COPPER",
    "MEDIUM PLATED TIN",        "MEDIUM PLATED NICKEL",      "MEDIUM PLATED BRASS",       "MEDIUM PLATED STEEL",
    "MEDIUM PLATED COPPER",     "MEDIUM POLISHED TIN",       "MEDIUM POLISHED NICKEL",    "MEDIUM POLISHED BRASS",
    "MEDIUM POLISHED STEEL",    "MEDIUM POLISHED COPPER",    "MEDIUM BRUSHED TIN",        "MEDIUM BRUSHED NICKEL",
    "MEDIUM BRUSHED BRASS",     "MEDIUM BRUSHED STEEL",      "MEDIUM BRUSHED COPPER",     "LARGE ANODIZED TIN",
    "LARGE ANODIZED NICKEL",    "LARGE ANODIZED BRASS",      "LARGE ANODIZED STEEL",      "LARGE ANODIZED COPPER",
    "LARGE BURNISHED TIN",      "LARGE BURNISHED NICKEL",    "LARGE BURNISHED BRASS",     "LARGE BURNISHED STEEL",
    "LARGE BURNISHED COPPER",   "LARGE PLATED TIN",          "LARGE PLATED NICKEL",       "LARGE PLATED BRASS",
    "LARGE PLATED STEEL",       "LARGE PLATED COPPER",       "LARGE POLISHED TIN",        "LARGE POLISHED NICKEL",
    "LARGE POLISHED BRASS",     "LARGE POLISHED STEEL",      "LARGE POLISHED COPPER",     "LARGE BRUSHED TIN",
    "LARGE BRUSHED NICKEL",     "LARGE BRUSHED BRASS",       "LARGE BRUSHED STEEL",       "LARGE BRUSHED COPPER",
    "ECONOMY ANODIZED TIN",     "ECONOMY ANODIZED NICKEL",   "ECONOMY ANODIZED BRASS",    "ECONOMY ANODIZED STEEL",
    "ECONOMY ANODIZED COPPER",  "ECONOMY BURNISHED TIN",     "ECONOMY BURNISHED NICKEL",  "ECONOMY BURNISHED BRASS",
    "ECONOMY BURNISHED STEEL",  "ECONOMY BURNISHED COPPER",  "ECONOMY PLATED TIN",        "ECONOMY PLATED NICKEL",
    "ECONOMY PLATED BRASS",     "ECONOMY PLATED STEEL",      "ECONOMY PLATED COPPER",     "ECONOMY POLISHED TIN",
    "ECONOMY POLISHED NICKEL",  "ECONOMY POLISHED BRASS",    "ECONOMY POLISHED STEEL",    "ECONOMY POLISHED COPPER",
    "ECONOMY BRUSHED TIN",      "ECONOMY BRUSHED NICKEL",    "ECONOMY BRUSHED BRASS",     "ECONOMY BRUSHED STEEL",
    "ECONOMY BRUSHED COPPER",   "PROMO ANODIZED TIN",        "PROMO ANODIZED NICKEL",     "PROMO ANODIZED BRASS",
    "PROMO ANODIZED STEEL",     "PROMO ANODIZED COPPER",     "PROMO BURNISHED TIN",       "PROMO BURNISHED NICKEL",
    "PROMO BURNISHED BRASS",    "PROMO BURNISHED STEEL",     "PROMO BURNISHED COPPER",    "PROMO PLATED TIN",
    "PROMO PLATED NICKEL",      "PROMO PLATED BRASS",        "PROMO PLATED STEEL",        "PROMO PLATED COPPER",
    "PROMO POLISHED TIN",       "PROMO POLISHED NICKEL",     "PROMO POLISHED BRASS",      "PROMO POLISHED STEEL",
    "PROMO POLISHED COPPER",    "PROMO BRUSHED TIN",         "PROMO BRUSHED NICKEL",      "PROMO BRUSHED BRASS",
    "PROMO BRUSHED STEEL",      "PROMO BRUSHED COPPER",
};

constexpr std::string_view kContainerNames[] = {
    "SM CASE",    "SM BOX",    "SM BAG",    "SM JAR",    "SM PACK",    "SM PKG",    "SM CAN",    "SM DRUM",
    "LG CASE",    "LG BOX",    "LG BAG",    "LG JAR",    "LG PACK",    "LG PKG",    "LG CAN",    "LG DRUM",
    "MED CASE",   "MED BOX",   "MED BAG",   "MED JAR",   "MED PACK",   "MED PKG",   "MED CAN",   "MED DRUM",
    "JUMBO CASE", "JUMBO BOX", "JUMBO BAG", "JUMBO JAR", "JUMBO PACK", "JUMBO PKG", "JUMBO CAN", "JUMBO DRUM",
    "WRAP CASE",  "WRAP BOX",  "WRAP BAG",  "WRAP JAR",  "WRAP PACK",  "WRAP PKG",  "WRAP CAN",  "WRAP DRUM",
};

constexpr std::string_view kSegmentNames[] = {
    "AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY",
};

constexpr std::string_view kPriorityNames[] = {
    "1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW",
};

constexpr std::string_view kInstructionNames[] = {
    "DELIVER IN PERSON",
    "COLLECT COD",
    "TAKE BACK RETURN",
    "NONE",
};

constexpr std::string_view kModeNames[] = {
    "REG AIR", "AIR", "RAIL", "TRUCK", "MAIL", "FOB", "SHIP",
};

constexpr std::string_view kManufacturerNames[] = {
    "Manufacturer#1", "Manufacturer#2", "Manufacturer#3", "Manufacturer#4", "Manufacturer#5",
};

constexpr std::string_view kBrandNames[] = {
    "Brand#11", "Brand#12", "Brand#13", "Brand#14", "Brand#15", "Brand#21", "Brand#22", "Brand#23", "Brand#24",
    "Brand#25", "Brand#31", "Brand#32", "Brand#33", "Brand#34", "Brand#35", "Brand#41", "Brand#42", "Brand#43",
    "Brand#44", "Brand#45", "Brand#51", "Brand#52", "Brand#53", "Brand#54", "Brand#55",
};

constexpr std::string_view kNationNames[] = {
    "ALGERIA",   "ARGENTINA", "BRAZIL",       "CANADA",  "EGYPT",  "ETHIOPIA",       "FRANCE",        "GERMANY",    "INDIA",
    "INDONESIA", "IRAN",      "IRAQ",         "JAPAN",   "JORDAN", "KENYA",          "MOROCCO",       "MOZAMBIQUE", "PERU",
    "CHINA",     "ROMANIA",   "SAUDI ARABIA", "VIETNAM", "RUSSIA", "UNITED KINGDOM", "UNITED STATES",
};

constexpr std::string_view kRegionNames[] = {
    "AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST",
};

constexpr std::string_view kReturnFlagNames[] = {
    "R",
    "A",
    "N",
};

constexpr std::string_view kLineStatusNames[] = {
    "F",
    "O",
};

constexpr std::string_view kOrderStatusNames[] = {
    "F",
    "O",
    "P",
};

// The regions of the nations, in their order.
constexpr std::int64_t kNationRegions[] = {0, 1, 1, 1, 4, 0, 3, 3, 2, 2, 4, 4, 2, 4, 0, 0, 0, 1, 2, 3, 4, 2, 3, 3, 1};

}  // namespace

std::span<const WeightedWord> nouns() {
  return kNounWords;
}
std::span<const WeightedWord> verbs() {
  return kVerbWords;
}
std::span<const WeightedWord> adjectives() {
  return kAdjectiveWords;
}
std::span<const WeightedWord> adverbs() {
  return kAdverbWords;
}
std::span<const WeightedWord> prepositions() {
  return kPrepositionWords;
}
std::span<const WeightedWord> auxiliaries() {
  return kAuxiliaryWords;
}
std::span<const WeightedWord> terminators() {
  return kTerminatorWords;
}

Choices colors() {
  return kColorNames;
}
Choices part_types() {
  return kTypeNames;
}
Choices containers() {
  return kContainerNames;
}
Choices market_segments() {
  return kSegmentNames;
}
Choices order_priorities() {
  return kPriorityNames;
}
Choices ship_instructions() {
  return kInstructionNames;
}
Choices ship_modes() {
  return kModeNames;
}
Choices manufacturers() {
  return kManufacturerNames;
}
Choices brands() {
  return kBrandNames;
}
Choices nations() {
  return kNationNames;
}
Choices regions() {
  return kRegionNames;
}
Choices return_flags() {
  return kReturnFlagNames;
}
Choices line_statuses() {
  return kLineStatusNames;
}
Choices order_statuses() {
  return kOrderStatusNames;
}

std::int64_t region_of_nation(std::int64_t nation) {
  return kNationRegions[nation];
}

}  // namespace saccade::tpch
