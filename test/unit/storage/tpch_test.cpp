// The generator's rows against hashes of what the standard's dbgen 3.0.1 writes (taken from PyPI's tpchgen-cli).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "common/error.hpp"
#include "storage/tpch/text_pool.hpp"
#include "storage/tpch/write_text.hpp"

namespace saccade::tpch {
namespace {

std::string tbl(TableId table, const Scale& scale, std::int64_t first, std::int64_t units) {
  const std::vector<int> columns = all_columns(table);
  std::string text;
  append_text(table, columns, generate(table, scale, first, units, columns), TextFormat::kTbl, text);
  return text;
}

std::string whole(TableId table, const Scale& scale) {
  return tbl(table, scale, 0, unit_count(table, scale));
}

// FNV-1a: Fowler, Noll and Vo.
std::uint64_t hash(std::string_view text) {
  std::uint64_t result = 0xcbf29ce484222325U;
  for (const char byte : text) result = (result ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  return result;
}

std::string state_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.sqlstate();
  }
  return "no error";
}

struct Expected {
  const char* table;
  std::uint64_t hash;
};

void expect_hashes(double factor, std::span<const Expected> expected) {
  for (const Expected& table : expected)
    EXPECT_EQ(hash(whole(table_spec(table.table).id, Scale(factor))), table.hash) << table.table << " at " << factor;
}

TEST(Tpch, EqualsDbgenAtOneHundredth) {
  const Expected expected[] = {
      {"region", 0x0c4088813f7d56f8U},   {"nation", 0xb150da8bf741231dU},   {"supplier", 0xff9196a76fd458acU},
      {"customer", 0xc45814a618ad08d1U}, {"part", 0x7423e7df08113e5cU},     {"partsupp", 0x98c43d0480b41dd7U},
      {"orders", 0xab07be0105d4ef57U},   {"lineitem", 0xc7e35b485a0b9dbbU},
  };
  expect_hashes(0.01, expected);
}

// A scale factor with more digits than dbgen's own steps of 0.001.
TEST(Tpch, EqualsDbgenAtAnOddFraction) {
  const Expected expected[] = {
      {"region", 0x0c4088813f7d56f8U},   {"nation", 0xb150da8bf741231dU},   {"supplier", 0xe820e9613c32a2fbU},
      {"customer", 0x6cdb4e82ada7c8f7U}, {"part", 0x319709a881644b40U},     {"partsupp", 0x605a07effcaf81c3U},
      {"orders", 0x060bc6e5bf4db32fU},   {"lineitem", 0xa6cc7b07ca653d54U},
  };
  expect_hashes(0.0015, expected);
}

// The 1,000,001st of 2,000,000 parts: keys beyond 32 bits, from dbgen's generator of 64 bits.
TEST(Tpch, EqualsDbgenAtThirtyThousand) {
  const Scale scale(30000);
  const std::int64_t orders = 22500000000;
  EXPECT_EQ(hash(tbl(TableId::kOrders, scale, orders, 22500)), 0xd6c2b4f6b64ac1a3U);
  EXPECT_EQ(hash(tbl(TableId::kLineitem, scale, orders, 22500)), 0x3cfd51d0a33ba02dU);
  EXPECT_EQ(hash(tbl(TableId::kCustomer, scale, 2250000000, 2250)), 0xc2967f87a34c9990U);
  EXPECT_EQ(hash(tbl(TableId::kPartsupp, scale, 3000000000, 3000)), 0x81f3972f0174e724U);
}

TEST(Tpch, PartsMakeTheWhole) {
  const Scale scale(0.002);
  for (const TableSpec& table : tables()) {
    const std::string expected = whole(table.id, scale);
    for (const std::int64_t size : {1, 7, 1000}) {
      std::string joined;
      const std::int64_t units = unit_count(table.id, scale);
      for (std::int64_t first = 0; first < units; first += size)
        joined += tbl(table.id, scale, first, std::min(size, units - first));
      EXPECT_EQ(hash(joined), hash(expected)) << table.name << " in parts of " << size;
    }
  }
}

TEST(Tpch, ColumnsAreTheSameAlone) {
  const Scale scale(0.001);
  for (const TableSpec& table : tables()) {
    const std::int64_t units = unit_count(table.id, scale);
    const std::vector<int> columns = all_columns(table.id);
    const GeneratedRows together = generate(table.id, scale, 0, units, columns);
    for (const int column : columns) {
      const GeneratedRows alone = generate(table.id, scale, 0, units, std::span(&column, 1));
      ASSERT_EQ(alone.rows, together.rows);
      const GeneratedColumn& other = together.columns[static_cast<std::size_t>(column)];
      EXPECT_EQ(alone.columns[0].rows(), together.rows);
      EXPECT_EQ(alone.columns[0].numbers, other.numbers) << table.name << " column " << column;
      EXPECT_EQ(alone.columns[0].texts, other.texts) << table.name << " column " << column;
    }
  }
}

TEST(Tpch, NoColumnsAndNoRows) {
  EXPECT_EQ(generate(TableId::kLineitem, Scale(0.001), 0, 1500, {}).rows,
            generate(TableId::kLineitem, Scale(0.001), 0, 1500, all_columns(TableId::kLineitem)).rows);
  for (const TableSpec& table : tables()) EXPECT_EQ(tbl(table.id, Scale(1), unit_count(table.id, Scale(1)), 0), "");
}

TEST(Tpch, TheSmallestScaleHasRowsInEachTable) {
  for (const TableSpec& table : tables()) EXPECT_FALSE(whole(table.id, Scale(Scale::kSmallest)).empty()) << table.name;
}

TEST(Tpch, CsvQuotesCommasUnderAHeader) {
  const int columns[] = {0, 2, 3};
  EXPECT_EQ(text_header(TableId::kSupplier, columns, TextFormat::kCsv), "s_suppkey,s_address,s_nationkey\n");
  std::string text;
  append_text(TableId::kSupplier, columns, generate(TableId::kSupplier, Scale(1), 0, 3, columns), TextFormat::kCsv, text);
  EXPECT_EQ(text,
            "1,\" N kD4on9OM Ipw3,gf0JBoQDd7tgrzrddZ\",17\n"
            "2,\"89eJ5ksX3ImxJQBvxObC,\",5\n"
            "3,\"q1,G3Pj6OjIuUYfUoH18BFTKP5aU9bEV3\",1\n");
}

TEST(Tpch, PlacesOfTheTextPoolAreThoseOfItsSentences) {
  std::int64_t piece = 0;
  for (const TextPlace& place : TextPool::find_places()) {
    const TextPlace known = TextPool::place(static_cast<int>(piece++));
    EXPECT_EQ(place.offset, known.offset);
    EXPECT_EQ(place.state, known.state);
  }
}

TEST(Tpch, ScalesThatAreNoneAreErrors) {
  for (const char* text :
       {"", "0", "-1", "nan", "inf", "1e9", "0.00009", "100001", "abc", "1x", " 1", "0x10", "1e", "--1", "1,5"})
    EXPECT_EQ(state_of([&] { Scale::parse(text); }), "22023") << text;
  EXPECT_EQ(state_of([] { Scale(std::nan("")); }), "22023");
  EXPECT_EQ(Scale::parse("0.01").orders(), 15000);
  EXPECT_EQ(Scale::parse("1e2").parts(), 20000000);
}

TEST(Tpch, UnknownTablesAreErrorsThatNameTheTables) {
  EXPECT_EQ(state_of([] { table_spec(std::string_view("lineitems")); }), "42P01");
  try {
    table_spec(std::string_view(""));
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("region, nation, supplier"), std::string::npos);
  }
}

}  // namespace
}  // namespace saccade::tpch
