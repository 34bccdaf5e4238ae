#include "storage/tpch/schema.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "common/error.hpp"
#include "storage/tpch/distributions.hpp"

namespace saccade::tpch {
namespace {

constexpr DataType kKey{TypeKind::kBigint};
constexpr DataType kCount{TypeKind::kInteger};
constexpr DataType kMoney{TypeKind::kNumeric, 15, 2};
constexpr DataType kDay{TypeKind::kDate};
constexpr DataType kString{TypeKind::kText};

constexpr ColumnSpec kRegionColumns[] = {{"r_regionkey", kKey}, {"r_name", kString}, {"r_comment", kString}};
constexpr ColumnSpec kNationColumns[] = {
    {"n_nationkey", kKey}, {"n_name", kString}, {"n_regionkey", kKey}, {"n_comment", kString}};
constexpr ColumnSpec kSupplierColumns[] = {{"s_suppkey", kKey},   {"s_name", kString},  {"s_address", kString},
                                           {"s_nationkey", kKey}, {"s_phone", kString}, {"s_acctbal", kMoney},
                                           {"s_comment", kString}};
constexpr ColumnSpec kCustomerColumns[] = {{"c_custkey", kKey},       {"c_name", kString},   {"c_address", kString},
                                           {"c_nationkey", kKey},     {"c_phone", kString},  {"c_acctbal", kMoney},
                                           {"c_mktsegment", kString}, {"c_comment", kString}};
constexpr ColumnSpec kPartColumns[] = {{"p_partkey", kKey},      {"p_name", kString},       {"p_mfgr", kString},
                                       {"p_brand", kString},     {"p_type", kString},       {"p_size", kCount},
                                       {"p_container", kString}, {"p_retailprice", kMoney}, {"p_comment", kString}};
constexpr ColumnSpec kPartsuppColumns[] = {
    {"ps_partkey", kKey}, {"ps_suppkey", kKey}, {"ps_availqty", kCount}, {"ps_supplycost", kMoney}, {"ps_comment", kString}};
constexpr ColumnSpec kOrdersColumns[] = {{"o_orderkey", kKey},     {"o_custkey", kKey},        {"o_orderstatus", kString},
                                         {"o_totalprice", kMoney}, {"o_orderdate", kDay},      {"o_orderpriority", kString},
                                         {"o_clerk", kString},     {"o_shippriority", kCount}, {"o_comment", kString}};
constexpr ColumnSpec kLineitemColumns[] = {
    {"l_orderkey", kKey},         {"l_partkey", kKey},         {"l_suppkey", kKey},     {"l_linenumber", kCount},
    {"l_quantity", kMoney, true}, {"l_extendedprice", kMoney}, {"l_discount", kMoney},  {"l_tax", kMoney},
    {"l_returnflag", kString},    {"l_linestatus", kString},   {"l_shipdate", kDay},    {"l_commitdate", kDay},
    {"l_receiptdate", kDay},      {"l_shipinstruct", kString}, {"l_shipmode", kString}, {"l_comment", kString}};

constexpr TableSpec kTables[kTableCount] = {{TableId::kRegion, "region", kRegionColumns},
                                            {TableId::kNation, "nation", kNationColumns},
                                            {TableId::kSupplier, "supplier", kSupplierColumns},
                                            {TableId::kCustomer, "customer", kCustomerColumns},
                                            {TableId::kPart, "part", kPartColumns},
                                            {TableId::kPartsupp, "partsupp", kPartsuppColumns},
                                            {TableId::kOrders, "orders", kOrdersColumns},
                                            {TableId::kLineitem, "lineitem", kLineitemColumns}};

[[noreturn]] void raise_bad_scale(const std::string& given) {
  throw Error(sqlstate::kInvalidParameterValue,
              fmt::format("\"{}\" is no scale factor: give a number from {} to {}", given, Scale::kSmallest, Scale::kLargest));
}

}  // namespace

std::span<const TableSpec> tables() {
  return kTables;
}

const TableSpec& table_spec(TableId id) {
  return kTables[static_cast<std::size_t>(id)];
}

const TableSpec& table_spec(std::string_view name) {
  std::string known;
  for (const TableSpec& table : kTables) {
    if (table.name == name) return table;
    known += known.empty() ? "" : ", ";
    known += table.name;
  }
  throw Error(sqlstate::kUndefinedTable, fmt::format("TPC-H has no table \"{}\": its tables are {}", name, known));
}

Scale::Scale(double factor) : factor_(factor) {
  if (!(factor >= kSmallest && factor <= kLargest)) raise_bad_scale(fmt::format("{}", factor));
}

Scale Scale::parse(const std::string& text) {
  char* end = nullptr;
  const double factor = std::strtod(text.c_str(), &end);
  const bool decimal = text.find_first_not_of("0123456789.eE+-") == std::string::npos;
  if (text.empty() || !decimal || *end != '\0' || !(factor >= kSmallest && factor <= kLargest)) raise_bad_scale(text);
  return Scale(factor);
}

std::int64_t Scale::clerks() const {
  return std::max<std::int64_t>(rows(1000), 1000);
}

std::int64_t unit_count(TableId id, const Scale& scale) {
  switch (id) {
    case TableId::kRegion:
      return static_cast<std::int64_t>(regions().size());
    case TableId::kNation:
      return static_cast<std::int64_t>(nations().size());
    case TableId::kSupplier:
      return scale.suppliers();
    case TableId::kCustomer:
      return scale.customers();
    case TableId::kPart:
    case TableId::kPartsupp:
      return scale.parts();
    case TableId::kOrders:
    case TableId::kLineitem:
      return scale.orders();
  }
  SACCADE_CHECK(false);
  return 0;
}

}  // namespace saccade::tpch
