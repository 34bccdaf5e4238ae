#include "function/registry.hpp"

#include <gtest/gtest.h>

#include <string>

#include "function/device_headers.hpp"
#include "unit/function/edge_values.hpp"

namespace saccade {
namespace {

TEST(Registry, FindsEveryFunctionByItsName) {
  for (const ScalarFunction& function : scalar_functions()) {
    EXPECT_EQ(find_function(function.name), function.id);
    EXPECT_EQ(scalar_function(function.id).name, function.name);
  }
  EXPECT_THROW(find_function("no_such_function"), Error);
}

TEST(Registry, SignaturesMatchTheFunctions) {
  for (const ScalarFunction& function : scalar_functions()) {
    bool failed = false;
    for (const auto& arguments : test::edge_arguments(function)) {
      FunctionError error = FunctionError::kNone;
      const test::LaneValue result = test::call(function.id, arguments, error);
      ASSERT_EQ(result.lane, function.result) << function.name;
      failed |= error != FunctionError::kNone;
    }
    EXPECT_EQ(failed, function.can_fail) << function.name << ": edge values must reach each function's failure";
  }
}

TEST(Registry, ErrorsAreThoseOfPostgres) {
  EXPECT_EQ(to_error(FunctionError::kDivisionByZero).sqlstate(), "22012");
  EXPECT_STREQ(to_error(FunctionError::kDivisionByZero).what(), "division by zero");
  EXPECT_EQ(to_error(FunctionError::kIntegerOutOfRange).sqlstate(), "22003");
  EXPECT_STREQ(to_error(FunctionError::kIntegerOutOfRange).what(), "integer out of range");
  EXPECT_EQ(to_error(FunctionError::kDateOutOfRange).sqlstate(), "22008");
  EXPECT_EQ(to_error(static_cast<FunctionError>(999)).sqlstate(), "XX000");
}

TEST(DeviceHeaders, HoldEveryIncludedHeader) {
  const auto files = function_device_headers();
  const auto find = [&](std::string_view name) {
    for (const EmbeddedFile& file : files) {
      if (file.name == name) return file.text;
    }
    return std::string_view();
  };
  ASSERT_FALSE(find("function/scalar/all.hpp").empty());
  ASSERT_FALSE(find("function/hash.hpp").empty());
  for (const EmbeddedFile& file : files) {
    const std::string text(file.text);
    for (std::size_t at = text.find("#include "); at != std::string::npos; at = text.find("#include ", at + 1)) {
      ASSERT_EQ(text[at + 9], '"') << file.name << " includes a standard header";
      EXPECT_FALSE(find(text.substr(at + 10, text.find('"', at + 10) - at - 10)).empty()) << file.name;
    }
  }
}

}  // namespace
}  // namespace saccade
