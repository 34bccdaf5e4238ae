// Edge values for every registered signature, and a direct call by FunctionId: what the tests of function loops and of device
// text compare with. Each tuple lies within the domain that the planner keeps to (a rescaling power is a power of ten, ...).
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "common/int128.hpp"
#include "function/call_scalar.hpp"
#include "function/scalar/all.hpp"

namespace saccade::test {

using LaneValue = ScalarValue;

inline LaneValue lane_value(bool value) {
  return {.lane = Lane::kBoolean, .boolean = value};
}
inline LaneValue lane_value(i64 value) {
  return {.lane = Lane::kInt64, .int64 = value};
}
inline LaneValue lane_value(i128 value) {
  return {.lane = Lane::kInt128, .int128 = value};
}
inline LaneValue lane_value(double value) {
  return {.lane = Lane::kFloat64, .float64 = value};
}

// Bit for bit, but for the payload of a NaN.
inline bool same(const LaneValue& a, const LaneValue& b) {
  if (a.lane != b.lane) return false;
  switch (a.lane) {
    case Lane::kBoolean:
      return a.boolean == b.boolean;
    case Lane::kInt64:
      return a.int64 == b.int64;
    case Lane::kInt128:
      return a.int128 == b.int128;
    case Lane::kFloat64:
      return (std::isnan(a.float64) && std::isnan(b.float64)) || std::memcmp(&a.float64, &b.float64, sizeof(double)) == 0;
    case Lane::kText:
      return false;
  }
  return false;
}

inline i128 ten_to(int exponent) {
  i128 power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

inline std::vector<LaneValue> edge_values(Lane lane) {
  std::vector<LaneValue> values;
  if (lane == Lane::kBoolean) {
    values = {lane_value(false), lane_value(true)};
  } else if (lane == Lane::kInt64) {
    for (const i64 base : {i64{0}, i64{1}, i64{2}, i64{7}, i64{32767}, i64{2147483647}, i64{4294967296}, i64{99999999999},
                           i64{3037000500}, i64{86400000000}, std::numeric_limits<i64>::max()}) {
      values.push_back(lane_value(base));
      values.push_back(lane_value(-base));
      values.push_back(lane_value(-base - 1));
    }
  } else if (lane == Lane::kInt128) {
    for (const i128 base : {i128{0}, i128{1}, i128{5}, i128{1} << 63, i128{1} << 64, (i128{1} << 64) + 12345, ten_to(18),
                            ten_to(19), ten_to(20) * 3, ten_to(37), ten_to(38) - 1, ten_to(38) / 7, kInt128Max}) {
      values.push_back(lane_value(base));
      values.push_back(lane_value(-base));
      values.push_back(lane_value(-base - 1));
    }
  } else {
    using limits = std::numeric_limits<double>;
    for (const double base : {0.0,
                              0.5,
                              1.0,
                              1.5,
                              2.5,
                              0.1,
                              1e15,
                              123456.789,
                              4503599627370497.5,
                              9007199254740993.0,
                              9.2233720368547758e18,
                              1e20,
                              1e37,
                              9.99999999999999e37,
                              1e38,
                              1e-9,
                              1e-11,
                              1e-38,
                              limits::min(),
                              limits::denorm_min(),
                              limits::max(),
                              limits::infinity()}) {
      values.push_back(lane_value(base));
      values.push_back(lane_value(-base));
    }
    values.push_back(lane_value(limits::quiet_NaN()));
  }
  return values;
}

// The edge values of argument `index` of a function, within its domain.
inline std::vector<LaneValue> edge_values(const ScalarFunction& function, int index) {
  std::vector<LaneValue> values;
  const auto powers = [&](int count, auto make) {
    for (int i = 0; i < count; ++i) values.push_back(lane_value(make(i)));
    return values;
  };
  switch (function.id) {
    case FunctionId::divide_numeric_i128:
      if (index == 2) return powers(77, [](int i) { return i64{i}; });
      break;
    case FunctionId::round_down_scale_i64:
      if (index == 1) return powers(19, [](int i) { return static_cast<i64>(ten_to(i)); });
      break;
    case FunctionId::round_down_scale_i128:
    case FunctionId::truncate_scale_i128:
    case FunctionId::floor_scale_i128:
    case FunctionId::ceiling_scale_i128:
      if (index == 1) return powers(39, [](int i) { return ten_to(i); });
      break;
    case FunctionId::check_magnitude_i64:
      if (index == 1) return powers(19, [](int i) { return static_cast<i64>(ten_to(i)) - 1; });
      break;
    case FunctionId::check_magnitude_i128:
      if (index == 1) return powers(39, [](int i) { return ten_to(i) - 1; });
      break;
    case FunctionId::float64_of_numeric_i128:
    case FunctionId::real_of_numeric_i128:
    case FunctionId::numeric_of_f64:
    case FunctionId::numeric_of_real_f64:
    case FunctionId::round_digits_i128:
    case FunctionId::truncate_digits_i128:
    case FunctionId::root_numeric_i128:
      if (index == 1) return powers(39, [](int i) { return i64{i}; });
      break;
    default:
      break;
  }
  return edge_values(function.arguments[static_cast<std::size_t>(index)]);
}

// Every combination of the arguments' edge values.
inline std::vector<std::vector<LaneValue>> edge_arguments(const ScalarFunction& function) {
  std::vector<std::vector<LaneValue>> tuples = {{}};
  for (int index = 0; index < function.argument_count; ++index) {
    std::vector<std::vector<LaneValue>> longer;
    for (const auto& tuple : tuples) {
      for (const LaneValue& value : edge_values(function, index)) {
        longer.push_back(tuple);
        longer.back().push_back(value);
      }
    }
    tuples = std::move(longer);
  }
  return tuples;
}

// The function itself, called once.
inline LaneValue call(FunctionId id, const std::vector<LaneValue>& arguments, FunctionError& error) {
  error = FunctionError::kNone;
  return call_scalar(id, arguments, error);
}

}  // namespace saccade::test
