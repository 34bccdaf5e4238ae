// The values of a tile: kItems consecutive rows of one thread. Device text: no standard headers.
//
// An expression is a scalar (the same for all rows), Values<T> (never null) or Nullable<T>. T is bool, int, i64, i128 or
// double; int stands for an int64 lane whose bounds prove that 30 bits suffice. What stands at rows that are not live is
// undefined.
#pragma once

#include "function/function_error.hpp"

#ifndef SACCADE_DEVICE
#define SACCADE_DEVICE __device__ __forceinline__
#endif
#ifndef SACCADE_DEVICE_CALL  // a function that is called, not copied into its callers
#define SACCADE_DEVICE_CALL __device__ __noinline__
#endif
#ifndef SACCADE_UNROLL
#define SACCADE_UNROLL _Pragma("unroll")
#endif
#ifndef SACCADE_ROLLED  // loops outside of the hot path: less to compile
#define SACCADE_ROLLED _Pragma("unroll 1")
#endif
#ifndef SACCADE_DYNAMIC_SHARED  // the block's dynamic shared memory, as words
#define SACCADE_DYNAMIC_SHARED(name) extern __shared__ __align__(16) unsigned long name[]
#endif

namespace saccade {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;

constexpr int kItems = 8;
constexpr u32 kAllItems = (1u << kItems) - 1;
constexpr u32 kFullWarp = 0xffffffffu;

template <class T>
struct Values {
  T items[kItems];
};
template <>
struct Values<bool> {
  u32 bits;
};

// `valid`: bit i is 1 where item i is not null.
template <class T>
struct Nullable {
  Values<T> value;
  u32 valid;
};

template <class T>
SACCADE_DEVICE T item(const T& scalar, int) {
  return scalar;
}
template <class T>
SACCADE_DEVICE T item(const Values<T>& values, int i) {
  return values.items[i];
}
SACCADE_DEVICE bool item(const Values<bool>& values, int i) {
  return (values.bits >> i & 1) != 0;
}
template <class T>
SACCADE_DEVICE T item(const Nullable<T>& values, int i) {
  return item(values.value, i);
}

template <class T>
SACCADE_DEVICE void put(Values<T>& values, int i, T value) {
  values.items[i] = value;
}
// Callers start from clear(): bits are only ever set.
SACCADE_DEVICE void put(Values<bool>& values, int i, bool value) {
  if (value) values.bits |= 1u << i;
}
template <class T>
SACCADE_DEVICE void put(Nullable<T>& values, int i, T value) {
  put(values.value, i, value);
}
template <class T>
SACCADE_DEVICE void clear(Values<T>&) {}
SACCADE_DEVICE void clear(Values<bool>& values) {
  values.bits = 0;
}
template <class T>
SACCADE_DEVICE void clear(Nullable<T>& values) {
  clear(values.value);
}

template <class T>
SACCADE_DEVICE u32 valid_items(const T&) {
  return kAllItems;
}
template <class T>
SACCADE_DEVICE u32 valid_items(const Nullable<T>& values) {
  return values.valid;
}
template <class T>
SACCADE_DEVICE void set_valid(Values<T>&, u32) {}
template <class T>
SACCADE_DEVICE void set_valid(Nullable<T>& values, u32 valid) {
  values.valid = valid;
}

// The items of a condition that are true, and those that are false; neither where it is null.
SACCADE_DEVICE u32 true_items(bool condition) {
  return condition ? kAllItems : 0;
}
SACCADE_DEVICE u32 true_items(const Values<bool>& condition) {
  return condition.bits;
}
SACCADE_DEVICE u32 true_items(const Nullable<bool>& condition) {
  return condition.value.bits & condition.valid;
}
template <class T>
SACCADE_DEVICE u32 false_items(const T& condition) {
  return ~true_items(condition) & valid_items(condition) & kAllItems;
}

// The item type of an expression, and whether it may be null.
template <class T>
struct Shape {
  using Item = T;
  static constexpr bool kNullable = false;
};
template <class T>
struct Shape<Values<T>> {
  using Item = T;
  static constexpr bool kNullable = false;
};
template <class T>
struct Shape<Nullable<T>> {
  using Item = T;
  static constexpr bool kNullable = true;
};

template <class T>
struct Shape<const T> : Shape<T> {};

template <bool kNullable, class T>
struct ResultOf {
  using Type = Values<T>;
};
template <class T>
struct ResultOf<true, T> {
  using Type = Nullable<T>;
};
// What a strict function with result T makes of its arguments.
template <class T, class... Arguments>
using Lifted = typename ResultOf<(Shape<Arguments>::kNullable || ...), T>::Type;

// An int64 expression whose bounds prove 30 bits.
template <class T>
SACCADE_DEVICE Lifted<int, T> narrow(const T& values) {
  Lifted<int, T> result;
  SACCADE_UNROLL
  for (int i = 0; i < kItems; ++i) put(result, i, static_cast<int>(item(values, i)));
  set_valid(result, valid_items(values));
  return result;
}

template <class T>
SACCADE_DEVICE Nullable<T> null_value() {
  return Nullable<T>{};
}

}  // namespace saccade
