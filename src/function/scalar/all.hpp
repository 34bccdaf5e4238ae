// Every scalar function. Host and device; no standard headers.
#pragma once

#include "function/scalar/arithmetic.hpp"
#include "function/scalar/comparison.hpp"
#include "function/scalar/conversion.hpp"
#include "function/scalar/date_field.hpp"
#include "function/scalar/date_time.hpp"
#include "function/scalar/floating.hpp"
#include "function/scalar/interval.hpp"
#include "function/scalar/key.hpp"
#include "function/scalar/numeric.hpp"
