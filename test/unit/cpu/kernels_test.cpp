// Every set of kernels that this machine runs gives the same values as plain loops, for lengths around its register widths.
#include "execution/cpu/kernels/kernels.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

#include "function/hash.hpp"

namespace saccade::cpu {
namespace {

const std::vector<std::int64_t> kLengths = {0, 1, 7, 8, 15, 63, 64, 65, 127, 200, 1000, 2048};

template <class T>
std::vector<T> random_bits(std::int64_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(static_cast<std::size_t>(n));
  for (T& value : values) value = static_cast<T>(random());
  return values;
}

std::vector<std::uint8_t> random_mask(std::int64_t n, unsigned percent, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(n));
  for (auto& byte : mask) byte = random() % 100 < percent ? 1 : 0;
  return mask;
}

// Strictly ascending row numbers below 2 n.
std::vector<std::uint32_t> some_rows(std::int64_t n) {
  std::vector<std::uint32_t> rows;
  for (std::int64_t i = 0; i < n; ++i) rows.push_back(static_cast<std::uint32_t>(2 * i + (i % 3 == 0 ? 1 : 0)));
  return rows;
}

class KernelSets : public testing::TestWithParam<const Kernels*> {
 protected:
  const Kernels& set() const { return *GetParam(); }
};

template <class T>
void check_codes(const ScanKernels& scan, int width) {
  const auto w = static_cast<std::size_t>(width_index(width));
  for (const std::int64_t n : kLengths) {
    const auto codes = random_bits<T>(2 * n + 1, 1);
    const auto rows = some_rows(n);
    for (const std::uint32_t* chosen : {static_cast<const std::uint32_t*>(nullptr), rows.data()}) {
      const auto code = [&](std::int64_t i) { return codes[chosen == nullptr ? static_cast<std::size_t>(i) : chosen[i]]; };
      std::vector<std::int64_t> out(static_cast<std::size_t>(n));
      scan.decode[w](codes.data(), chosen, -1234, out.data(), n);
      for (std::int64_t i = 0; i < n; ++i) {
        ASSERT_EQ(out[static_cast<std::size_t>(i)], static_cast<std::int64_t>(static_cast<std::uint64_t>(code(i)) - 1234));
      }
      if (chosen == nullptr && w < 3 && scan.decode_masked[w] != nullptr) {
        const auto mask = random_mask(n, 60, 3);
        std::vector<std::int64_t> kept, masked(static_cast<std::size_t>(n) + 8);
        for (std::int64_t i = 0; i < n; ++i) {
          if (mask[static_cast<std::size_t>(i)] != 0) kept.push_back(out[static_cast<std::size_t>(i)]);
        }
        scan.decode_masked[w](codes.data(), mask.data(), -1234, masked.data(), n);
        masked.resize(kept.size());
        ASSERT_EQ(masked, kept);
      }
      for (const bool negated : {false, true}) {
        const CodeRange range{std::numeric_limits<T>::max() / 4, std::numeric_limits<T>::max() / 3, negated};
        auto mask = random_mask(n, 70, 2);
        const auto before = mask;
        scan.range_mask[w](codes.data(), chosen, range, mask.data(), n);
        for (std::int64_t i = 0; i < n; ++i) {
          const bool inside = code(i) >= range.low && code(i) - range.low <= range.extent;
          const auto at = static_cast<std::size_t>(i);
          ASSERT_EQ(mask[at], before[at] != 0 && inside != negated ? 1 : 0);
        }
      }
    }
  }
}

TEST_P(KernelSets, DecodeAndCompareCodes) {
  check_codes<std::uint8_t>(set().scan, 1);
  check_codes<std::uint16_t>(set().scan, 2);
  check_codes<std::uint32_t>(set().scan, 4);
  check_codes<std::uint64_t>(set().scan, 8);
}

TEST_P(KernelSets, MasksToRows) {
  for (const std::int64_t n : kLengths) {
    for (const unsigned percent : {0U, 2U, 50U, 98U, 100U}) {
      const auto mask = random_mask(n, percent, 5);
      std::vector<std::uint32_t> rows(static_cast<std::size_t>(n) + 16), expected;
      for (std::int64_t i = 0; i < n; ++i) {
        if (mask[static_cast<std::size_t>(i)] != 0) expected.push_back(static_cast<std::uint32_t>(i));
      }
      ASSERT_EQ(set().scan.mask_to_rows(mask.data(), n, rows.data()), static_cast<std::int64_t>(expected.size()));
      rows.resize(expected.size());
      ASSERT_EQ(rows, expected);
      ASSERT_EQ(set().scan.count_bytes(mask.data(), n), static_cast<std::int64_t>(expected.size()));
    }
  }
}

TEST_P(KernelSets, ExpandBits) {
  const auto bits = random_bits<std::uint64_t>(80, 3);
  const auto rows = some_rows(2000);
  for (const std::uint32_t* chosen : {static_cast<const std::uint32_t*>(nullptr), rows.data()}) {
    std::vector<std::uint8_t> out(2000);
    set().scan.expand_bits(bits.data(), 37, chosen, out.data(), 2000);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t bit = 37 + (chosen == nullptr ? i : chosen[i]);
      ASSERT_EQ(out[i], bits[bit / 64] >> (bit % 64) & 1);
    }
  }
}

TEST_P(KernelSets, ThreeValuedLogic) {
  // All nine pairs of true, false and unknown, repeated beyond a register.
  std::vector<std::uint8_t> a, a_valid, b, b_valid;
  for (int i = 0; i < 900; ++i) {
    a.push_back(i % 3 == 0 ? 1 : 0);
    a_valid.push_back(i % 3 == 2 ? 0 : 1);
    b.push_back(i / 3 % 3 == 0 ? 1 : 0);
    b_valid.push_back(i / 3 % 3 == 2 ? 0 : 1);
  }
  for (const bool is_and : {true, false}) {
    auto values = a, valid = a_valid;
    (is_and ? set().vector.logical_and : set().vector.logical_or)(values.data(), valid.data(), b.data(), b_valid.data(), 900);
    for (std::size_t i = 0; i < 900; ++i) {
      const std::uint8_t settling = is_and ? 0 : 1;
      const bool settled = (a_valid[i] != 0 && a[i] == settling) || (b_valid[i] != 0 && b[i] == settling);
      const bool known = settled || (a_valid[i] != 0 && b_valid[i] != 0);
      ASSERT_EQ(valid[i] != 0, known);
      if (!known) continue;
      ASSERT_EQ(values[i], settled ? settling : 1 - settling);
    }
  }
}

TEST_P(KernelSets, HashIsTheSharedOne) {
  const auto a = random_bits<std::int64_t>(100, 1), b = random_bits<std::int64_t>(100, 2);
  const std::int64_t* parts[] = {a.data(), b.data()};
  std::vector<std::uint64_t> out(100);
  set().vector.hash(parts, 2, out.data(), 100);
  for (std::size_t i = 0; i < 100; ++i) ASSERT_EQ(out[i], hash_finish(hash_part(hash_part(kHashSeed, a[i]), b[i])));
}

TEST_P(KernelSets, CountsAndSumsOfFewGroups) {
  for (const std::int64_t group_count : {1, 2, 3, 5, 6, 8, 9, 100}) {
    for (const std::int64_t n : kLengths) {
      const auto bits = random_bits<std::uint64_t>(n, 1);
      const auto values = random_bits<std::int64_t>(n, 2);
      const auto valid = random_mask(n, 80, 3);
      std::vector<std::int64_t> groups;
      for (const std::uint64_t b : bits)
        groups.push_back(static_cast<std::int64_t>(b % static_cast<std::uint64_t>(group_count)));
      for (const std::uint8_t* nulls : {static_cast<const std::uint8_t*>(nullptr), valid.data()}) {
        const std::int64_t stride = 104;
        std::vector<std::int64_t> sums(stride * kStateCopies), counts = sums;
        std::vector<std::uint64_t> expected_sums(stride), expected_counts(stride);
        set().aggregate.sum_few_i64(sums.data(), stride, group_count, groups.data(), values.data(), nulls, n);
        set().aggregate.count_few(counts.data(), stride, group_count, groups.data(), nulls, n);
        for (std::size_t i = 0; i < groups.size(); ++i) {
          if (nulls != nullptr && nulls[i] == 0) continue;
          expected_sums[static_cast<std::size_t>(groups[i])] += static_cast<std::uint64_t>(values[i]);
          ++expected_counts[static_cast<std::size_t>(groups[i])];
        }
        for (std::size_t g = 0; g < static_cast<std::size_t>(group_count); ++g) {
          std::uint64_t sum = 0, count = 0;
          for (std::size_t c = 0; c < kStateCopies; ++c) {
            sum += static_cast<std::uint64_t>(sums[g + c * stride]);
            count += static_cast<std::uint64_t>(counts[g + c * stride]);
          }
          ASSERT_EQ(sum, expected_sums[g]);
          ASSERT_EQ(count, expected_counts[g]);
        }
      }
    }
  }
}

TEST_P(KernelSets, LookupsReportWhatLiesOutside) {
  const std::vector<std::int64_t> table = {5, 6, 7};
  const std::vector<std::int64_t> in = {10, 12, 11, 13};
  const std::vector<std::uint8_t> valid = {1, 1, 1, 0};
  std::vector<std::int64_t> out(4);
  EXPECT_TRUE(set().vector.lookup_i64(in.data(), valid.data(), table.data(), 10, 3, out.data(), 4));
  EXPECT_EQ(out, (std::vector<std::int64_t>{5, 7, 6, 0}));
  EXPECT_FALSE(set().vector.lookup_i64(in.data(), nullptr, table.data(), 10, 3, out.data(), 4));
}

TEST_P(KernelSets, DenseProbe) {
  const std::int64_t low = -7;
  std::vector<DenseWord> words(4);
  std::mt19937_64 random(1);
  std::int64_t before = 0;
  for (DenseWord& word : words) {
    word = {random(), before};
    before += __builtin_popcountll(word.bits);
  }
  std::vector<std::int64_t> keys = random_bits<std::int64_t>(2000, 4);
  for (std::size_t i = 0; i < keys.size(); i += 2) keys[i] = keys[i] % 300;
  std::vector<std::uint32_t> positions(keys.size() + 16);
  std::vector<std::int64_t> rows(keys.size() + 16);
  const std::vector<DenseWord> filled = words;
  for (DenseWord& word : words) word.before = -1;
  EXPECT_EQ(set().vector.count_dense(words.data(), 4), before);
  for (std::size_t w = 0; w < 4; ++w) EXPECT_EQ(words[w].before, filled[w].before);
  const std::int64_t matches =
      set().vector.probe_dense(words.data(), low, 255, keys.data(), positions.data(), rows.data(), 2000);
  std::int64_t found = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] < low || keys[i] > low + 255) continue;
    const auto bit = static_cast<std::size_t>(keys[i] - low);
    if ((words[bit / 64].bits >> (bit % 64) & 1) == 0) continue;
    std::int64_t rank = 0;
    for (std::size_t b = 0; b < bit; ++b) rank += static_cast<std::int64_t>(words[b / 64].bits >> (b % 64) & 1);
    ASSERT_LT(found, matches);
    ASSERT_EQ(positions[static_cast<std::size_t>(found)], i);
    ASSERT_EQ(rows[static_cast<std::size_t>(found++)], rank);
  }
  EXPECT_EQ(found, matches);
}

// ---- functions ------------------------------------------------------------------------------------------------------------

std::vector<std::byte> edge_values(Lane lane) {
  const auto bytes_of = [](const auto& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(values[0]));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  };
  const double infinity = std::numeric_limits<double>::infinity();
  switch (lane) {
    case Lane::kBoolean:
      return bytes_of(std::vector<std::uint8_t>{0, 1});
    case Lane::kInt64:
      return bytes_of(std::vector<std::int64_t>{0, 1, -1, 2, 7, -7, 10, 100, 1000, 12345, -40000, 86400000000, INT32_MAX,
                                                INT32_MIN, INT64_MAX, INT64_MIN, INT64_MAX / 2});
    case Lane::kInt128:
      return bytes_of(std::vector<int128>{0, 1, -1, 10, -99, INT64_MAX, INT64_MIN, power_of_ten(20), -power_of_ten(37),
                                          power_of_ten(38) - 1, 1 - power_of_ten(38)});
    default:
      return bytes_of(std::vector<double>{0.0, -0.0, 1.0, -1.5, 2.5, 1e300, -1e-300, 9.3e18, infinity, -infinity,
                                          std::numeric_limits<double>::quiet_NaN()});
  }
}

// Arguments must be what plans give: scales small, divisors of a rounding powers of ten, timestamps within their range.
bool has_restricted_argument(std::string_view name) {
  return name.starts_with("round_down_scale") || name.starts_with("float64_of_numeric") || name.starts_with("numeric_of_f64") ||
         name.starts_with("divide_numeric") || name.starts_with("check_magnitude") || name.starts_with("add_months") ||
         name.starts_with("truncate_scale") || name.starts_with("floor_scale") || name.starts_with("ceiling_scale") ||
         name.starts_with("root_numeric") || name.starts_with("real_of_numeric") || name.starts_with("numeric_of_real");
}

TEST_P(KernelSets, FunctionsGiveTheBaselinesValues) {
  const Kernels& baseline = *supported_kernels().front();
  for (const ScalarFunction& function : scalar_functions()) {
    if (has_restricted_argument(function.name) || function.argument_count > 2) continue;
    const auto a = edge_values(function.arguments[0]);
    const bool binary = function.argument_count == 2;
    const auto b = binary ? edge_values(function.arguments[1]) : std::vector<std::byte>(1);
    const auto a_width = static_cast<std::size_t>(lane_bytes(function.arguments[0]));
    const auto b_width = binary ? static_cast<std::size_t>(lane_bytes(function.arguments[1])) : 1;
    const auto width = static_cast<std::size_t>(lane_bytes(function.result));
    const std::size_t n = a.size() / a_width;
    const auto loop = static_cast<std::size_t>(function.id);
    for (std::size_t y = 0; y < b.size() / b_width; ++y) {
      // The value against each edge value, as a vector and as a constant.
      alignas(16) std::byte repeated[32 * 16], out[2][32 * 16] = {}, expected[32 * 16] = {};
      for (std::size_t i = 0; i < n; ++i) std::memcpy(repeated + i * b_width, b.data() + y * b_width, b_width);
      alignas(16) std::byte left[32 * 16];
      std::memcpy(left, a.data(), a.size());
      const Operand vector_form[2] = {{left, false}, {repeated, false}};
      const Operand constant_form[2] = {{left, false}, {repeated, true}};
      FunctionError error = FunctionError::kNone, errors[2] = {};
      baseline.functions[loop](vector_form, nullptr, expected, static_cast<std::int64_t>(n), error);
      set().functions[loop](vector_form, nullptr, out[0], static_cast<std::int64_t>(n), errors[0]);
      set().functions[loop](constant_form, nullptr, out[1], static_cast<std::int64_t>(n), errors[1]);
      for (int form = 0; form < 2; ++form) {
        EXPECT_EQ(errors[form] == FunctionError::kNone, error == FunctionError::kNone) << function.name;
        const bool same = error != FunctionError::kNone || std::memcmp(out[form], expected, n * width) == 0;
        EXPECT_TRUE(same) << function.name;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, KernelSets, testing::ValuesIn(supported_kernels()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace saccade::cpu
