#include "data/column.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <random>

#include "common/error.hpp"
#include "data/value.hpp"

namespace saccade {
namespace {

std::string state_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.sqlstate();
  }
  return "no error";
}

const DataType kBigint{TypeKind::kBigint};

TEST(ChooseEncoding, TakesTheNarrowestFormThatHolds) {
  const auto choose = [](const DataType& type, std::optional<Bounds> bounds) {
    return to_string(choose_encoding(type, bounds));
  };
  EXPECT_EQ(choose(kBigint, std::nullopt), "plain 8");
  EXPECT_EQ(choose(kBigint, Bounds{7, 7}), "constant");
  EXPECT_EQ(choose(kBigint, Bounds{-5, 250}), "narrowed 1");
  EXPECT_EQ(choose(kBigint, Bounds{-5, 251}), "narrowed 2");
  EXPECT_EQ(choose(kBigint, Bounds{0, 65536}), "narrowed 4");
  EXPECT_EQ(choose(kBigint, Bounds{INT64_MIN, INT64_MIN + 0xffffffffLL}), "narrowed 4");
  EXPECT_EQ(choose(kBigint, Bounds{0, 0x100000000LL}), "plain 8");
  EXPECT_EQ(choose(kBigint, Bounds{INT64_MIN, INT64_MAX}), "plain 8");
  EXPECT_EQ(choose({TypeKind::kBoolean}, std::nullopt), "narrowed 1");
  EXPECT_EQ(choose({TypeKind::kDouble}, std::nullopt), "plain 8");
  EXPECT_EQ(choose({TypeKind::kText}, std::nullopt), "dictionary 4");
  EXPECT_EQ(choose({TypeKind::kText}, Bounds{0, 0}), "dictionary 1");
  EXPECT_EQ(choose({TypeKind::kText}, Bounds{200, 256}), "dictionary 2");
  EXPECT_EQ(choose(DataType::numeric(38, 2), std::nullopt), "plain 16");
  EXPECT_EQ(choose(DataType::numeric(18, 2), std::nullopt), "plain 8");
  EXPECT_EQ(choose(DataType::numeric(38, 2), Bounds{0, 100}), "narrowed 1");
  EXPECT_EQ(choose(DataType::numeric(38, 2), Bounds{INT64_MAX, static_cast<int128>(INT64_MAX) + 1}), "plain 16");
}

TEST(LaneOf, NumericIsInt64WhereItIsProven) {
  EXPECT_EQ(lane_of(DataType::numeric(18, 0)), Lane::kInt64);
  EXPECT_EQ(lane_of(DataType::numeric(19, 0)), Lane::kInt128);
  EXPECT_EQ(lane_of(DataType::numeric(19, 0), Bounds{INT64_MIN, INT64_MAX}), Lane::kInt64);
  EXPECT_EQ(lane_of(DataType::numeric(19, 0), Bounds{0, static_cast<int128>(INT64_MAX) + 1}), Lane::kInt128);
  EXPECT_EQ(lane_of({TypeKind::kBoolean}), Lane::kBoolean);
  EXPECT_EQ(lane_of({TypeKind::kDouble}), Lane::kFloat64);
  EXPECT_EQ(lane_of({TypeKind::kText}), Lane::kInt64);
}

std::shared_ptr<const Buffer> random_validity(std::int64_t rows, std::mt19937_64& random, MemoryPool& pool) {
  std::shared_ptr<Buffer> bitmap = Buffer::allocate_zeroed((rows + 63) / 64 * 8, pool);
  for (std::int64_t row = 0; row < rows; ++row)
    bitmap->as<std::uint64_t>()[row / 64] |= (random() % 3 != 0 ? 1ULL : 0) << (row % 64);
  return bitmap;
}

// Encodes random values within the bounds, plain and with nulls, and compares every row with what was put in.
template <class T>
void round_trip(const DataType& type, Lane lane, int128 low, int128 high,
                std::shared_ptr<const Dictionary> dictionary = nullptr) {
  std::mt19937_64 random(static_cast<std::uint64_t>(high) ^ static_cast<std::uint64_t>(low));
  MemoryPool pool("pool", 0);
  const std::optional<Bounds> bounds = Bounds{low, high};
  const Encoding encoding = choose_encoding(type, bounds);
  const bool has_base = encoding.form == Form::kNarrowed || encoding.form == Form::kConstant;
  const std::int64_t base = has_base ? static_cast<std::int64_t>(low) : 0;
  for (const std::int64_t rows : {0, 1, 63, 64, 65, 1000}) {
    for (const bool nulls : {false, true}) {
      std::vector<T> values(static_cast<std::size_t>(rows));
      const auto span = static_cast<uint128>(high - low);
      for (T& value : values) {
        const uint128 any = static_cast<uint128>(random()) << 64 | random();
        value = static_cast<T>(low + static_cast<int128>(span == ~static_cast<uint128>(0) ? any : any % (span + 1)));
      }
      if (rows > 1) values.front() = static_cast<T>(low), values.back() = static_cast<T>(high);
      const std::shared_ptr<const Buffer> validity = nulls ? random_validity(rows, random, pool) : nullptr;
      if (nulls) {  // what stands at nulls must not matter
        for (std::int64_t row = 0; row < rows; ++row) {
          if ((validity->as<std::uint64_t>()[row / 64] >> (row % 64) & 1) == 0)
            values[static_cast<std::size_t>(row)] = static_cast<T>(-1);
        }
      }
      const Column column = encode_column(type, encoding, base, values.data(), lane, rows, validity, dictionary, pool, "test");
      verify_column(column);
      std::optional<Bounds> expected;
      for (std::int64_t row = 0; row < rows; ++row) {
        if (!column.valid(row)) continue;
        const int128 value = values[static_cast<std::size_t>(row)];
        ASSERT_TRUE(int128_at(column, row) == value) << to_string(encoding) << " row " << row;
        ASSERT_TRUE(column.lane == Lane::kInt128 || int64_at(column, row) == static_cast<std::int64_t>(value));
        expected = expected ? Bounds{std::min(expected->low, value), std::max(expected->high, value)} : Bounds{value, value};
      }
      EXPECT_TRUE(column.bounds == expected);
    }
  }
}

TEST(EncodeColumn, KeepsEveryValueOfEveryForm) {
  for (const DataType& type : {kBigint, DataType{TypeKind::kTimestamp}, DataType::numeric(15, 2)}) {
    round_trip<std::int64_t>(type, Lane::kInt64, 5, 5);
    round_trip<std::int64_t>(type, Lane::kInt64, -100, 155);
    round_trip<std::int64_t>(type, Lane::kInt64, -40000, 20000);
    round_trip<std::int64_t>(type, Lane::kInt64, INT64_MIN, INT64_MIN + 0xffffffffLL);
    round_trip<std::int64_t>(type, Lane::kInt64, INT64_MAX - 0xffffffffLL, INT64_MAX);
    round_trip<std::int64_t>(type, Lane::kInt64, INT64_MIN, INT64_MAX);
  }
  round_trip<std::uint8_t>({TypeKind::kBoolean}, Lane::kBoolean, 0, 1);
  round_trip<std::uint8_t>({TypeKind::kBoolean}, Lane::kBoolean, 1, 1);
  round_trip<int128>(DataType::numeric(38, 0), Lane::kInt128, -power_of_ten(37), power_of_ten(37));
  round_trip<int128>(DataType::numeric(38, 0), Lane::kInt128, -power_of_ten(4), power_of_ten(4));  // narrowed from int128
  round_trip<std::int64_t>(DataType::numeric(38, 0), Lane::kInt64, INT64_MIN, INT64_MAX);
}

TEST(EncodeColumn, KeepsTextAsCodes) {
  for (const int size : {1, 256, 257, 70000}) {
    std::vector<std::string> strings;
    for (int i = 0; i < size; ++i) strings.push_back(std::to_string(i));
    round_trip<std::int64_t>({TypeKind::kText}, Lane::kInt64, 0, size - 1, Dictionary::from_strings(strings));
  }
}

TEST(EncodeColumn, KeepsDoublesBitByBit) {
  MemoryPool pool("pool", 0);
  const std::vector<double> values = {0.0, -0.0, 1e308, std::bit_cast<double>(0x7ff8000000000001ULL), -1.0 / 0.0};
  const auto rows = static_cast<std::int64_t>(values.size());
  const Column column = encode_column({TypeKind::kDouble}, {Form::kPlain, 8}, 0, values.data(), Lane::kFloat64, rows, nullptr,
                                      nullptr, pool, "x");
  verify_column(column);
  for (std::int64_t row = 0; row < rows; ++row) {
    const double value = std::get<double>(value_at(column, row).data);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(values[static_cast<std::size_t>(row)]));
  }
  EXPECT_FALSE(column.bounds.has_value());
}

TEST(EncodeColumn, RefusesWhatTheEncodingCannotHold) {
  MemoryPool pool("pool", 0);
  const auto encode = [&](Encoding encoding, std::int64_t base, std::int64_t value) {
    return state_of([&] { encode_column(kBigint, encoding, base, &value, Lane::kInt64, 1, nullptr, nullptr, pool, "here"); });
  };
  EXPECT_EQ(encode({Form::kNarrowed, 1}, 10, 10), "no error");
  EXPECT_EQ(encode({Form::kNarrowed, 1}, 10, 265), "no error");
  EXPECT_EQ(encode({Form::kNarrowed, 1}, 10, 266), "XX001");
  EXPECT_EQ(encode({Form::kNarrowed, 1}, 10, 9), "XX001");
  EXPECT_EQ(encode({Form::kNarrowed, 4}, INT64_MAX - 1, INT64_MIN), "XX001");
  EXPECT_EQ(encode({Form::kConstant, 0}, 10, 11), "XX001");
  const int128 big = static_cast<int128>(INT64_MAX) + 1;
  EXPECT_EQ(
      state_of([&] {
        encode_column(DataType::numeric(38, 0), {Form::kPlain, 8}, 0, &big, Lane::kInt128, 1, nullptr, nullptr, pool, "here");
      }),
      "XX001");
  EXPECT_EQ(pool.used(), 0);
}

TEST(VerifyColumn, FindsBrokenInvariants) {
  MemoryPool pool("pool", 0);
  const std::vector<std::int64_t> values = {1, 2, 3};
  const auto dictionary = Dictionary::from_strings({"a", "b", "c", "d"});
  const Column good = encode_column({TypeKind::kText}, {Form::kDictionary, 1}, 0, values.data(), Lane::kInt64, 3, nullptr,
                                    dictionary, pool, "x");
  verify_column(good);
  const auto broken = [&](const std::function<void(Column&)>& change) {
    Column column = good;
    change(column);
    return state_of([&] { verify_column(column); });
  };
  EXPECT_EQ(broken([](Column& c) { c.bounds = Bounds{2, 3}; }), "XX000");
  EXPECT_EQ(broken([](Column& c) { c.dictionary = Dictionary::from_strings({"a", "b", "c"}); }), "XX000");
  EXPECT_EQ(broken([](Column& c) { c.dictionary = nullptr; }), "XX000");
  EXPECT_EQ(broken([](Column& c) { c.lane = Lane::kInt128; }), "XX000");
  EXPECT_EQ(broken([](Column& c) { c.length = 4; }), "XX000");
  EXPECT_EQ(broken([](Column& c) { c.encoding.width = 3; }), "XX000");
  const std::uint64_t padded = ~0ULL;
  EXPECT_EQ(broken([&](Column& c) { c.validity = &padded; }), "XX000");
}

TEST(ValueAt, DecodesText) {
  MemoryPool pool("pool", 0);
  const std::vector<std::int64_t> values = {1, 0};
  std::shared_ptr<Buffer> validity = Buffer::allocate_zeroed(8, pool);
  validity->as<std::uint64_t>()[0] = 1;
  const Column column = encode_column({TypeKind::kText}, {Form::kDictionary, 1}, 0, values.data(), Lane::kInt64, 2, validity,
                                      Dictionary::from_strings({"x", "y"}), pool, "x");
  EXPECT_EQ(value_at(column, 0), (Value{{TypeKind::kText}, std::string("y")}));
  EXPECT_TRUE(value_at(column, 1).is_null());
}

}  // namespace
}  // namespace saccade
