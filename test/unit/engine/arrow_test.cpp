// Results as Arrow record batches: schema, values, nulls, batch sizes, and who owns what.
#include <gtest/gtest.h>

#include <cstring>
#include <saccade/saccade.hpp>
#include <string>

namespace saccade {
namespace {

class ArrowTest : public testing::Test {
 protected:
  std::unique_ptr<Database> database = Database::open({{"threads", "2"}});
  std::unique_ptr<Session> session = database->connect();
};

bool valid(const ArrowArray& array, std::int64_t row) {
  const auto* bitmap = static_cast<const std::uint8_t*>(array.buffers[0]);
  return bitmap == nullptr || (bitmap[row / 8] >> (row % 8) & 1) != 0;
}

std::string text_of(const ArrowArray& array, std::int64_t row) {
  const auto* offsets = static_cast<const std::int64_t*>(array.buffers[1]);
  return {static_cast<const char*>(array.buffers[2]) + offsets[row], static_cast<std::size_t>(offsets[row + 1] - offsets[row])};
}

constexpr const char* kOneOfEach =
    "SELECT true AS b, 7::smallint AS s, -8 AS i, 9000000000 AS l, 0.5::double precision AS g, 1.25 AS n, "
    "date '1970-01-03' AS d, timestamp '1970-01-01 00:00:01' AS t, 'Grüße' AS u, NULL::integer AS z";

TEST_F(ArrowTest, SchemaNamesEachColumnAndItsFormat) {
  const auto result = session->execute(kOneOfEach);
  ArrowSchema schema;
  result->arrow_schema(&schema);
  EXPECT_STREQ(schema.format, "+s");
  ASSERT_EQ(schema.n_children, 10);
  std::string formats, names;
  for (int i = 0; i < 10; ++i) {
    formats += std::string(schema.children[i]->format) + ' ';
    names += schema.children[i]->name;
    EXPECT_EQ(schema.children[i]->flags, ARROW_FLAG_NULLABLE);
  }
  EXPECT_EQ(formats, "b s i l g d:3,2 tdD tsu: U i ");
  EXPECT_EQ(names, "bsilgndtuz");
  schema.release(&schema);
  EXPECT_EQ(schema.release, nullptr);
}

TEST_F(ArrowTest, ValuesOfEachType) {
  const auto result = session->execute(kOneOfEach);
  ArrowArray batch;
  ASSERT_TRUE(result->next_batch(&batch));
  ASSERT_EQ(batch.length, 1);
  ASSERT_EQ(batch.n_children, 10);
  const auto value = [&](int column, auto type) {
    return static_cast<const decltype(type)*>(batch.children[column]->buffers[1])[0];
  };
  EXPECT_EQ(value(0, std::uint8_t{}), 1);
  EXPECT_EQ(value(1, std::int16_t{}), 7);
  EXPECT_EQ(value(2, std::int32_t{}), -8);
  EXPECT_EQ(value(3, std::int64_t{}), 9'000'000'000);
  EXPECT_EQ(value(4, double{}), 0.5);
  EXPECT_TRUE(value(5, Decimal::Digits{}) == 125);
  EXPECT_EQ(value(6, std::int32_t{}), 2);
  EXPECT_EQ(value(7, std::int64_t{}), 1'000'000);
  EXPECT_EQ(text_of(*batch.children[8], 0), "Grüße");
  EXPECT_EQ(batch.children[9]->null_count, 1);
  EXPECT_FALSE(valid(*batch.children[9], 0));
  batch.release(&batch);
  EXPECT_FALSE(result->next_batch(&batch));
}

TEST_F(ArrowTest, ABatchMayOutliveResultSessionAndDatabase) {
  auto result = session->execute("SELECT 'kept' AS t");
  ArrowArray batch;
  ASSERT_TRUE(result->next_batch(&batch));
  result.reset();
  session.reset();
  database.reset();
  EXPECT_EQ(text_of(*batch.children[0], 0), "kept");
  batch.release(&batch);
}

TEST_F(ArrowTest, AnImporterMayTakeAChildAway) {
  const auto result = session->execute("SELECT 1 AS a, 'b' AS b");
  ArrowArray batch;
  ASSERT_TRUE(result->next_batch(&batch));
  ArrowArray taken = *batch.children[1];
  batch.children[1]->release = nullptr;
  batch.release(&batch);
  EXPECT_EQ(text_of(taken, 0), "b");
  taken.release(&taken);
}

TEST_F(ArrowTest, StreamGivesSchemaBatchesAndEnd) {
  ArrowArrayStream stream;
  export_stream(session->execute("SELECT 41 + 1 AS answer"), &stream);
  ArrowSchema schema;
  ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
  EXPECT_STREQ(schema.children[0]->name, "answer");
  schema.release(&schema);
  ArrowArray batch;
  ASSERT_EQ(stream.get_next(&stream, &batch), 0);
  EXPECT_EQ(static_cast<const std::int32_t*>(batch.children[0]->buffers[1])[0], 42);
  batch.release(&batch);
  ASSERT_EQ(stream.get_next(&stream, &batch), 0);
  EXPECT_EQ(batch.release, nullptr);
  EXPECT_EQ(stream.get_last_error(&stream), nullptr);
  stream.release(&stream);
}

TEST_F(ArrowTest, LinesAreOneTextColumn) {
  const auto result = session->execute("SHOW threads");
  ArrowArray batch;
  ASSERT_TRUE(result->next_batch(&batch));
  EXPECT_EQ(text_of(*batch.children[0], 0), "2");
  batch.release(&batch);
}

TEST_F(ArrowTest, ACommandHasNoBatches) {
  const auto result = session->execute("SET threads = 1");
  ArrowArray batch;
  EXPECT_FALSE(result->next_batch(&batch));
  ArrowSchema schema;
  result->arrow_schema(&schema);
  EXPECT_EQ(schema.n_children, 0);
  schema.release(&schema);
}

}  // namespace
}  // namespace saccade
