#include "catalog/file_call.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"

namespace saccade {
namespace {

TEST(FileCall, ReadsItsOwnText) {
  const FileCall call{
      "read_csv", {{"delim", {"'"}, 7}, {"types", {"numeric(3, 1)", "a', b => 'c"}, 0}, {"empty", {}, 0}, {"null", {""}, 0}}};
  EXPECT_EQ(call.text(), "read_csv(delim => '''', types => 'numeric(3, 1)' 'a'', b => ''c', empty =>, null => '')");
  const FileCall read = FileCall::parse(call.text());
  EXPECT_EQ(read.function, "read_csv");
  ASSERT_EQ(read.options.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(read.options[i].name, call.options[i].name);
    EXPECT_EQ(read.options[i].values, call.options[i].values);
  }
  EXPECT_EQ(read.find("delim"), &read.options[0]);
  EXPECT_EQ(read.find("quote"), nullptr);
  EXPECT_EQ(FileCall::parse("read_parquet").text(), "read_parquet");
}

TEST(FileCall, RefusesAnythingElse) {
  for (const char* text : {"read_csv(", "read_csv()", "read_csv(a => 'b", "read_csv(a => 'b' x", "read_csv(a => 'b')x"}) {
    EXPECT_THROW(FileCall::parse(text), Error) << text;
  }
}

}  // namespace
}  // namespace saccade
