// Times in zones, and casts between text and times, intervals, reals, uuids and bytea.
#include <fmt/format.h>

#include <string>

#include "common/error.hpp"
#include "data/date_time.hpp"
#include "data/parse_value.hpp"
#include "data/time_zone.hpp"
#include "function/text/implementations.hpp"

namespace saccade::text_impl {
namespace {

// The zone of each row; found once where it is constant, as it nearly always is.
class RowZone {
 public:
  explicit RowZone(const TextOperand& operand) : operand_(operand) {}

  const TimeZone& at(std::int64_t row) {
    const std::string_view name = operand_.text(row);
    if (zone_ == nullptr || name != name_) {
      zone_ = &find_time_zone(name);
      name_ = name;
    }
    return *zone_;
  }

 private:
  const TextOperand& operand_;
  const TimeZone* zone_ = nullptr;
  std::string name_;
};

void put_parsed(TextCall& call, std::int64_t row, const DataType& type, const TimeContext& context = {}) {
  const Value value = parse_value(call.operands[0].text(row), type, context);
  if (const auto* real = std::get_if<double>(&value.data)) return call.put_real(row, *real);
  if (const auto* interval = std::get_if<Interval>(&value.data)) return call.put_wide(row, pack_interval(*interval));
  if (const auto* bytes = std::get_if<std::string>(&value.data)) return call.put(row, *bytes);
  const int128 integer = std::get<int128>(value.data);
  if (type.kind == TypeKind::kUuid) return call.put_wide(row, integer);
  call.put_integer(row, static_cast<std::int64_t>(integer));
}

void parse_rows(TextCall& call, TypeKind kind) {
  call.each_row([&](std::int64_t row) { put_parsed(call, row, {kind}); });
}

}  // namespace

void run_local_of_utc(TextCall& call) {
  RowZone zone(call.operands[1]);
  call.each_row([&](std::int64_t row) {
    call.put_integer(row, checked_timestamp(zone.at(row).to_local(call.operands[0].integer(row))));
  });
}

void run_utc_of_local(TextCall& call) {
  RowZone zone(call.operands[1]);
  call.each_row(
      [&](std::int64_t row) { call.put_integer(row, checked_timestamp(zone.at(row).to_utc(call.operands[0].integer(row)))); });
}

void run_text_of_timestamptz(TextCall& call) {
  RowZone zone(call.operands[1]);
  call.each_row([&](std::int64_t row) { call.put(row, timestamptz_text(call.operands[0].integer(row), zone.at(row))); });
}

void run_timestamptz_of_text(TextCall& call) {
  RowZone zone(call.operands[1]);
  call.each_row([&](std::int64_t row) {
    put_parsed(call, row, {TypeKind::kTimestamptz}, {call.operands[2].integer(row), &zone.at(row)});
  });
}

void run_text_of_time(TextCall& call) {
  call.each_row([&](std::int64_t row) { call.put(row, time_text(call.operands[0].integer(row))); });
}

void run_text_of_interval(TextCall& call) {
  call.each_row([&](std::int64_t row) { call.put(row, interval_text(unpack_interval(call.operands[0].wide(row)))); });
}

void run_text_of_real(TextCall& call) {
  call.each_row([&](std::int64_t row) { call.put(row, to_string(Value{{TypeKind::kReal}, call.operands[0].real(row)})); });
}

void run_text_of_uuid(TextCall& call) {
  call.each_row([&](std::int64_t row) { call.put(row, to_string(Value{{TypeKind::kUuid}, call.operands[0].wide(row)})); });
}

void run_text_of_bytea(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    call.put(row, to_string(Value{{TypeKind::kBytea}, std::string(call.operands[0].text(row))}));
  });
}

void run_time_of_text(TextCall& call) {
  parse_rows(call, TypeKind::kTime);
}

void run_interval_of_text(TextCall& call) {
  parse_rows(call, TypeKind::kInterval);
}

void run_real_of_text(TextCall& call) {
  parse_rows(call, TypeKind::kReal);
}

void run_uuid_of_text(TextCall& call) {
  parse_rows(call, TypeKind::kUuid);
}

void run_bytea_of_text(TextCall& call) {
  parse_rows(call, TypeKind::kBytea);
}

void run_fit_text(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const std::string_view text = call.operands[0].text(row);
    const std::string_view kept = truncate_text(text, call.operands[1].integer(row));
    if (text.find_first_not_of(' ', kept.size()) != std::string_view::npos) {
      throw Error("22001", fmt::format("value too long for type character varying({})", call.operands[1].integer(row)));
    }
    call.put(row, kept);
  });
}

}  // namespace saccade::text_impl
