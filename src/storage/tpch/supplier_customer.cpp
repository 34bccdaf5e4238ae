#include <cstring>

#include "common/error.hpp"
#include "storage/tpch/table_columns.hpp"

namespace saccade::tpch {
namespace {

// What suppliers and customers have alike.
struct PartyStreams {
  std::uint32_t address, nation, phone, balance;
};
constexpr PartyStreams kSupplier{706178559, 110356601, 884434366, 962338209};
constexpr PartyStreams kCustomer{881155353, 1489529863, 1521138112, 298370230};
constexpr std::uint32_t kSupplierCommentSeed = 1341315363, kCustomerCommentSeed = 1335826707, kSegmentSeed = 1140279430;
constexpr int kSupplierCommentLength = 63, kCustomerCommentLength = 73;

std::vector<std::int64_t> row_numbers(const UnitRange& range) {
  return compute_numbers(range, [](std::int64_t unit, int) { return unit + 1; });
}

std::vector<std::int64_t> draw_nations(const UnitRange& range, const PartyStreams& streams) {
  return draw_uniform(range, {streams.nation}, 0, static_cast<std::int64_t>(nations().size()) - 1);
}

// Key, name, address, nation, phone, balance.
GeneratedColumn party_column(const UnitRange& range, const PartyStreams& streams, std::string_view prefix, int column) {
  switch (column) {
    case 0:
      return number_column(row_numbers(range));
    case 1:
      return numbered_column(prefix, row_numbers(range));
    case 2:
      return address_column(range, streams.address);
    case 3:
      return number_column(draw_nations(range, streams));
    case 4:
      return phone_column(range, streams.phone, draw_nations(range, streams));
    default:
      SACCADE_CHECK(column == 5);
      return number_column(draw_uniform(range, {streams.balance}, -99999, 999999));
  }
}

// Five suppliers in 10,000 have complaints and five recommendations (Better Business Bureau, clause 4.2.3): two words
// somewhere in the comment, in this order, with any distance.
class ReportedComments {
 public:
  // The comment's text, which is given back where nothing is reported.
  std::string_view report(std::string_view comment, char* copy) {
    const bool reported = chosen_.draw(1, 10000) <= 10;
    const bool complaint = kind_.draw(0, 100) < 50;
    if (reported) {
      const auto length = static_cast<std::int64_t>(comment.size());
      const auto words = static_cast<std::int64_t>(kSubject.size() + kComplaint.size());
      const std::int64_t distance = distance_.draw(0, length - words);
      const std::int64_t offset = offset_.draw(0, length - (words + distance));
      std::memcpy(copy, comment.data(), comment.size());
      std::memcpy(copy + offset, kSubject.data(), kSubject.size());
      const std::string_view verdict = complaint ? kComplaint : kRecommendation;
      std::memcpy(copy + offset + kSubject.size() + distance, verdict.data(), verdict.size());
      comment = {copy, comment.size()};
    }
    for (RandomStream* stream : {&chosen_, &kind_, &distance_, &offset_}) stream->end_row();
    return comment;
  }
  void skip_rows(std::int64_t rows) {
    for (RandomStream* stream : {&chosen_, &kind_, &distance_, &offset_}) stream->skip_rows(rows);
  }

 private:
  static constexpr std::string_view kSubject = "Customer ", kComplaint = "Complaints", kRecommendation = "Recommends";

  RandomStream chosen_{202794285, 1}, kind_{753643799, 1}, distance_{263032577, 1}, offset_{715851524, 1};
};

GeneratedColumn supplier_comments(const UnitRange& range) {
  constexpr std::int64_t kLongest = 100;
  GeneratedColumn column = comment_column(range, kSupplierCommentSeed, kSupplierCommentLength);
  column.arena.reset(new char[static_cast<std::size_t>(range.rows * kLongest)]);
  ReportedComments reports;
  reports.skip_rows(range.first);
  char* copy = column.arena.get();
  for (std::string_view& comment : column.texts) {
    comment = reports.report(comment, copy);
    copy += comment.size();
  }
  return column;
}

}  // namespace

std::vector<GeneratedColumn> supplier_columns(const UnitRange& range, ColumnNumbers columns) {
  std::vector<GeneratedColumn> result;
  for (const int column : columns)
    result.push_back(column == 6 ? supplier_comments(range) : party_column(range, kSupplier, "Supplier#", column));
  return result;
}

std::vector<GeneratedColumn> customer_columns(const UnitRange& range, ColumnNumbers columns) {
  std::vector<GeneratedColumn> result;
  for (const int column : columns) {
    if (column == 6) {
      result.push_back(drawn_choice_column(range, {kSegmentSeed}, market_segments()));
    } else if (column == 7) {
      result.push_back(comment_column(range, kCustomerCommentSeed, kCustomerCommentLength));
    } else {
      result.push_back(party_column(range, kCustomer, "Customer#", column));
    }
  }
  return result;
}

}  // namespace saccade::tpch
