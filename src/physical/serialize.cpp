#include "physical/serialize.hpp"

#include <bit>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/error.hpp"
#include "common/int128.hpp"

// 128-bit integers travel as decimal text; doubles as their bits, so that a plan is read back exactly.
NLOHMANN_JSON_NAMESPACE_BEGIN
template <>
struct adl_serializer<__int128> {
  static void to_json(json& j, const __int128& value) { j = saccade::decimal_text(value, 0); }
  static void from_json(const json& j, __int128& value) {
    const auto parsed = saccade::parse_int128(j.get_ref<const std::string&>());
    if (!parsed) throw std::invalid_argument("128-bit integer expected");
    value = *parsed;
  }
};
template <class T>
struct adl_serializer<std::optional<T>> {
  static void to_json(json& j, const std::optional<T>& value) {
    if (value) {
      j = *value;
    } else {
      j = nullptr;
    }
  }
  static void from_json(const json& j, std::optional<T>& value) {
    if (j.is_null()) {
      value = std::nullopt;
    } else {
      value = j.get<T>();
    }
  }
};
// A variant is {"kind": index, "value": ...}.
template <class... T>
struct adl_serializer<std::variant<T...>> {
  static void to_json(json& j, const std::variant<T...>& value) {
    j["kind"] = value.index();
    std::visit([&](const auto& alternative) { j["value"] = alternative; }, value);
  }
  static void from_json(const json& j, std::variant<T...>& value) {
    const auto index = j.at("kind").get<std::size_t>();
    if (index >= sizeof...(T)) throw std::invalid_argument("unknown alternative");
    std::size_t i = 0;
    ((i++ == index ? static_cast<void>(value = j.at("value").template get<T>()) : static_cast<void>(0)), ...);
  }
};
NLOHMANN_JSON_NAMESPACE_END

namespace saccade {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DataType, kind, precision, scale, length)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Encoding, form, width)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Bounds, low, high)

namespace physical {

using nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Slot, name, type, lane, nullable, bounds, dictionary)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Lookup, lane, base, values)

namespace {

// JSON holds UTF-8 only, a bytea any bytes: each byte travels as the character of its number.
std::string as_characters(const std::string& bytes) {
  std::string characters;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) characters += static_cast<char>(0xc0 | byte >> 6);
    characters += byte < 0x80 ? c : static_cast<char>(0x80 | (byte & 0x3f));
  }
  return characters;
}

std::string as_bytes(const std::string& characters) {
  std::string bytes;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const auto lead = static_cast<unsigned char>(characters[i]);
    const bool two = lead >= 0x80 && i + 1 < characters.size();
    bytes += two ? static_cast<char>((lead & 3) << 6 | (characters[++i] & 0x3f)) : characters[i];
  }
  return bytes;
}

}  // namespace

void to_json(json& j, const Literal& literal) {
  j = {{"lane", literal.lane},
       {"is_null", literal.is_null},
       {"integer", literal.integer},
       {"real", std::bit_cast<std::uint64_t>(literal.real)},
       {"text", as_characters(literal.text)}};
}

void from_json(const json& j, Literal& literal) {
  j.at("lane").get_to(literal.lane);
  j.at("is_null").get_to(literal.is_null);
  j.at("integer").get_to(literal.integer);
  literal.real = std::bit_cast<double>(j.at("real").get<std::uint64_t>());
  literal.text = as_bytes(j.at("text").get_ref<const std::string&>());
}

// Functions travel by name: the numbers change when one is added.
void to_json(json& j, const Node& node) {
  j = {{"kind", node.kind},         {"lane", node.lane},   {"nullable", node.nullable},
       {"can_fail", node.can_fail}, {"index", node.index}, {"arguments", node.arguments}};
  if (node.kind == NodeKind::kCall) j["function"] = std::string(scalar_function(node.function).name);
  if (node.kind == NodeKind::kTextCall) j["function"] = std::string(text_function(node.text_function).name);
}

void from_json(const json& j, Node& node) {
  j.at("kind").get_to(node.kind);
  j.at("lane").get_to(node.lane);
  j.at("nullable").get_to(node.nullable);
  j.at("can_fail").get_to(node.can_fail);
  j.at("index").get_to(node.index);
  j.at("arguments").get_to(node.arguments);
  if (node.kind == NodeKind::kCall) node.function = find_function(j.at("function").get<std::string>());
  if (node.kind == NodeKind::kTextCall) node.text_function = find_text_function(j.at("function").get<std::string>());
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TableScan::ScanColumn, column, slot, encoding, base)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TableScan::SkipBound, column, bounds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TableScan, table, opener, version, rows, columns, skip)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OutputScan, pipeline, slots)
void to_json(json& j, const OneRow&) {
  j = json::object();
}
void from_json(const json&, OneRow&) {}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BuildScan, build, which, slots)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Concatenation, inputs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ValueRows, slots, rows)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Repeat, count, number_slot)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Filter, predicate, text, selectivity)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Compute, slots, expressions)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Probe, kind, build, keys, condition, payload, mark_slot, row_slot, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(JoinBuild, layout, unique, distinct, track_matches, assumed_table, assumed_column,
                                   key_bounds, keys, payload, estimated_rows)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Aggregate, function, state, argument)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Aggregation, layout, keys, key_bounds, groups, build, aggregates, presence, only_rank_zero,
                                   estimated_groups)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Sort, keys, limit, offset, output)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Exchange, kind, keys, output, estimated_rows, shuffle_seconds, broadcast_seconds, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WindowFunction, kind, value_slot, number, frame, aggregate)
void to_json(json& j, const Frame::Offset& offset) {
  j = {{"integer", offset.integer},
       {"real", std::bit_cast<std::uint64_t>(offset.real)},
       {"is_interval", offset.is_interval},
       {"months", offset.months},
       {"days", offset.days},
       {"microseconds", offset.microseconds}};
}
void from_json(const json& j, Frame::Offset& offset) {
  j.at("integer").get_to(offset.integer);
  offset.real = std::bit_cast<double>(j.at("real").get<std::uint64_t>());
  j.at("is_interval").get_to(offset.is_interval);
  j.at("months").get_to(offset.months);
  j.at("days").get_to(offset.days);
  j.at("microseconds").get_to(offset.microseconds);
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Frame, mode, start, end, exclusion, start_offset, end_offset, range_slot, range_descending,
                                   range_nulls_first)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Window, partition, order, frames, functions, output)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Result, output)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Collect, output)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Insert, table, column_names, output, only_rank_zero)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Pipeline, id, slots, literals, lookups, text_dictionaries, source, steps, sink, placement,
                                   estimated_rows)
void to_json(json& j, const DictionaryReference& reference) {
  std::vector<std::string> strings;
  for (const std::string& text : reference.strings) strings.push_back(as_characters(text));
  j = {{"table", reference.table},
       {"opener", reference.opener},
       {"column", reference.column},
       {"strings", std::move(strings)},
       {"identity", reference.identity}};
}

void from_json(const json& j, DictionaryReference& reference) {
  j.at("table").get_to(reference.table);
  j.at("opener").get_to(reference.opener);
  j.at("column").get_to(reference.column);
  j.at("identity").get_to(reference.identity);
  for (const json& text : j.at("strings")) reference.strings.push_back(as_bytes(text.get_ref<const std::string&>()));
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Plan, pipelines, dictionaries, result_names, ranks)

// Strings of a dictionary may hold any bytes that UTF-8 allows; the parser has checked literals, storage has checked columns.
std::string serialize(const Plan& plan) {
  return json(plan).dump();
}

Plan parse_plan(const std::string& text) {
  try {
    return json::parse(text).get<Plan>();
  } catch (const std::exception& error) {
    throw Error(sqlstate::kInternalError, fmt::format("the received plan can't be read: {}", error.what()));
  }
}

std::uint64_t plan_hash(const std::string& serialized) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : serialized) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

}  // namespace physical
}  // namespace saccade
