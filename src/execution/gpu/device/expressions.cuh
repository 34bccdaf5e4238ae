// Expressions over tiles: the scalar functions lifted to rows, three-valued logic, CASE, lookups. Device text.
//
// A function that can fail takes the tile first, and runs only for rows that are left and whose arguments are not null.
#pragma once

#include "execution/gpu/device/tile.cuh"
#include "function/scalar/all.hpp"

namespace saccade {

using LaneBoolean = bool;
using LaneInt64 = i64;
using LaneInt128 = i128;
using LaneFloat64 = double;

// Calls `function(i)` for every item.
template <class Result, class Function>
SACCADE_DEVICE Result lift(u32 valid, const Function& function) {
  Result result;
  clear(result);
  SACCADE_UNROLL
  for (int i = 0; i < kItems; ++i) put(result, i, function(i));
  set_valid(result, valid);
  return result;
}
// Calls `function(i, error)` for the live items.
template <class Result, class Function>
SACCADE_DEVICE Result lift_checked(const Tile& tile, u32 valid, const Function& function) {
  Result result{};
  const u32 live = tile.mask() & valid;
  FunctionError error = FunctionError::kNone;
  SACCADE_UNROLL
  for (int i = 0; i < kItems; ++i) {
    if ((live >> i & 1) != 0) put(result, i, function(i, error));
  }
  if (error != FunctionError::kNone) tile.fail(error);
  set_valid(result, valid);
  return result;
}

#define SACCADE_LIFT_1_false(name, result, la)                                                               \
  template <class A>                                                                                         \
  SACCADE_DEVICE Lifted<Lane##result, A> name(const A& a) {                                                  \
    return lift<Lifted<Lane##result, A>>(valid_items(a), [&](int i) { return name(Lane##la(item(a, i))); }); \
  }
#define SACCADE_LIFT_1_true(name, result, la)                                                                  \
  template <class A>                                                                                           \
  SACCADE_DEVICE Lifted<Lane##result, A> name(const Tile& tile, const A& a) {                                  \
    return lift_checked<Lifted<Lane##result, A>>(                                                              \
        tile, valid_items(a), [&](int i, FunctionError& error) { return name(Lane##la(item(a, i)), error); }); \
  }
#define SACCADE_LIFT_2_false(name, result, la, lb)                                                                    \
  template <class A, class B>                                                                                         \
  SACCADE_DEVICE Lifted<Lane##result, A, B> name(const A& a, const B& b) {                                            \
    return lift<Lifted<Lane##result, A, B>>(valid_items(a) & valid_items(b),                                          \
                                            [&](int i) { return name(Lane##la(item(a, i)), Lane##lb(item(b, i))); }); \
  }
#define SACCADE_LIFT_2_true(name, result, la, lb)                                                                             \
  template <class A, class B>                                                                                                 \
  SACCADE_DEVICE Lifted<Lane##result, A, B> name(const Tile& tile, const A& a, const B& b) {                                  \
    return lift_checked<Lifted<Lane##result, A, B>>(tile, valid_items(a) & valid_items(b), [&](int i, FunctionError& error) { \
      return name(Lane##la(item(a, i)), Lane##lb(item(b, i)), error);                                                         \
    });                                                                                                                       \
  }
#define SACCADE_LIFT_3_false(name, result, la, lb, lc)                                                        \
  template <class A, class B, class C>                                                                        \
  SACCADE_DEVICE Lifted<Lane##result, A, B, C> name(const A& a, const B& b, const C& c) {                     \
    return lift<Lifted<Lane##result, A, B, C>>(valid_items(a) & valid_items(b) & valid_items(c), [&](int i) { \
      return name(Lane##la(item(a, i)), Lane##lb(item(b, i)), Lane##lc(item(c, i)));                          \
    });                                                                                                       \
  }
#define SACCADE_LIFT_3_true(name, result, la, lb, lc)                                                       \
  template <class A, class B, class C>                                                                      \
  SACCADE_DEVICE Lifted<Lane##result, A, B, C> name(const Tile& tile, const A& a, const B& b, const C& c) { \
    return lift_checked<Lifted<Lane##result, A, B, C>>(                                                     \
        tile, valid_items(a) & valid_items(b) & valid_items(c), [&](int i, FunctionError& error) {          \
          return name(Lane##la(item(a, i)), Lane##lb(item(b, i)), Lane##lc(item(c, i)), error);             \
        });                                                                                                 \
  }
#define SACCADE_SCALAR_1(name, result, can_fail, la) SACCADE_LIFT_1_##can_fail(name, result, la)
#define SACCADE_SCALAR_2(name, result, can_fail, la, lb) SACCADE_LIFT_2_##can_fail(name, result, la, lb)
#define SACCADE_SCALAR_3(name, result, can_fail, la, lb, lc) SACCADE_LIFT_3_##can_fail(name, result, la, lb, lc)
#include "function/scalar/functions.inc"
#undef SACCADE_SCALAR_1
#undef SACCADE_SCALAR_2
#undef SACCADE_SCALAR_3

// ---- three-valued logic -----------------------------------------------------------------------------------------------------

SACCADE_DEVICE void set_condition(Values<bool>& result, u32 true_bits, u32) {
  result.bits = true_bits;
}
SACCADE_DEVICE void set_condition(Nullable<bool>& result, u32 true_bits, u32 false_bits) {
  result.value.bits = true_bits;
  result.valid = true_bits | false_bits;
}

template <class A, class B>
SACCADE_DEVICE Lifted<bool, A, B> both(const A& a, const B& b) {
  Lifted<bool, A, B> result;
  set_condition(result, true_items(a) & true_items(b), false_items(a) | false_items(b));
  return result;
}
template <class A, class B>
SACCADE_DEVICE Lifted<bool, A, B> either(const A& a, const B& b) {
  Lifted<bool, A, B> result;
  set_condition(result, true_items(a) | true_items(b), false_items(a) & false_items(b));
  return result;
}
// `second` may fail: it sees only the rows that `first` has not settled.
template <class A, class Second>
SACCADE_DEVICE auto both_checked(const Tile& tile, const A& first, const Second& second) {
  return both(first, second(tile.narrowed(~false_items(first))));
}
template <class A, class Second>
SACCADE_DEVICE auto either_checked(const Tile& tile, const A& first, const Second& second) {
  return either(first, second(tile.narrowed(~true_items(first))));
}
template <class A>
SACCADE_DEVICE Lifted<bool, A> negation(const A& a) {
  Lifted<bool, A> result;
  set_condition(result, false_items(a), true_items(a));
  return result;
}
template <class A>
SACCADE_DEVICE Values<bool> is_null(const A& a) {
  return Values<bool>{~valid_items(a) & kAllItems};
}

// ---- CASE and lookups -------------------------------------------------------------------------------------------------------

// The wider of two item types of one lane: int gives way to i64.
template <class A, class B>
struct Wider {
  using Type = A;
};
template <>
struct Wider<int, i64> {
  using Type = i64;
};

// CASE WHEN condition THEN first ELSE second: each branch sees only its own rows.
template <class Condition, class First, class Second>
SACCADE_DEVICE auto choose(const Tile& tile, const Condition& condition, const First& first, const Second& second) {
  const u32 chosen = true_items(condition);
  const auto a = first(tile.narrowed(chosen));
  const auto b = second(tile.narrowed(~chosen));
  using Item = typename Wider<typename Shape<decltype(a)>::Item, typename Shape<decltype(b)>::Item>::Type;
  return lift<Lifted<Item, decltype(a), decltype(b)>>((valid_items(a) & chosen) | (valid_items(b) & ~chosen), [&](int i) {
    return (chosen >> i & 1) != 0 ? static_cast<Item>(item(a, i)) : static_cast<Item>(item(b, i));
  });
}

// COALESCE: the second sees only the rows where the first is null.
template <class A, class Second>
SACCADE_DEVICE auto or_else(const Tile& tile, const A& first, const Second& second) {
  const u32 chosen = valid_items(first);
  const auto b = second(tile.narrowed(~chosen));
  using Item = typename Wider<typename Shape<A>::Item, typename Shape<decltype(b)>::Item>::Type;
  return lift<Lifted<Item, decltype(b)>>(chosen | valid_items(b), [&](int i) {
    return (chosen >> i & 1) != 0 ? static_cast<Item>(item(first, i)) : static_cast<Item>(item(b, i));
  });
}

// values[x - base]; u8 for a boolean lookup.
template <class Stored>
struct Lookup {
  const Stored* values;
  i64 base;
};
template <class Value, class Stored, class A>
SACCADE_DEVICE Lifted<Value, A> lookup(const Tile& tile, const Lookup<Stored>& table, const A& a) {
  Lifted<Value, A> result{};
  const u32 live = tile.mask() & valid_items(a);
  SACCADE_UNROLL
  for (int i = 0; i < kItems; ++i) {
    if ((live >> i & 1) != 0) put(result, i, static_cast<Value>(table.values[item(a, i) - table.base]));
  }
  set_valid(result, valid_items(a));
  return result;
}

}  // namespace saccade
