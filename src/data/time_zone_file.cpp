#include "data/time_zone_file.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

namespace saccade {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDatabase = "/usr/share/zoneinfo";
constexpr std::size_t kHeaderBytes = 44;

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// The file of a zone; empty where there is none. Names are taken apart, so that none leads out of the database.
fs::path find_file(std::string_view name, std::string& found) {
  fs::path path = kDatabase;
  while (!name.empty()) {
    const std::string_view part = name.substr(0, name.find('/'));
    name.remove_prefix(std::min(name.size(), part.size() + 1));
    if (part.empty() || part.front() == '.') return {};
    std::error_code error;
    fs::path next;
    for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
      if (equal_ignoring_case(entry.path().filename().native(), part)) next = entry.path();
    }
    if (next.empty()) return {};
    found += (found.empty() ? "" : "/") + next.filename().string();
    path = next;
  }
  std::error_code error;
  return fs::is_regular_file(path, error) ? path : fs::path();
}

// Reads big-endian integers from left to right; beyond the end everything is 0 and `good` is false.
struct Reader {
  std::string_view rest;
  bool good = true;

  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    const std::string_view taken = take(bytes);
    for (const char c : taken) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }
  std::int64_t signed_number(std::size_t bytes) {
    const std::uint64_t value = number(bytes);
    return bytes == 4 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value);
  }
  std::string_view take(std::size_t bytes) {
    good &= bytes <= rest.size();
    if (!good) return {};
    const std::string_view taken = rest.substr(0, bytes);
    rest.remove_prefix(bytes);
    return taken;
  }
};

struct Counts {
  std::size_t utc, standard, leaps, times, types, characters;
  std::size_t bytes(std::size_t time_bytes) const {
    return times * (time_bytes + 1) + types * 6 + characters + leaps * (time_bytes + 4) + standard + utc;
  }
};

// One of a file's two headers; nothing where it is none.
std::optional<Counts> read_header(Reader& reader, char& version) {
  const std::string_view magic = reader.take(5);
  reader.take(15);
  Counts counts{};
  for (std::size_t* count : {&counts.utc, &counts.standard, &counts.leaps, &counts.times, &counts.types, &counts.characters}) {
    *count = reader.number(4);
  }
  if (!reader.good || !magic.starts_with("TZif")) return std::nullopt;
  version = magic[4];
  return counts;
}

std::unique_ptr<TimeZone> parse_file(std::string name, std::string_view bytes) {
  Reader reader{bytes};
  char version = 0;
  std::optional<Counts> counts = read_header(reader, version);
  std::size_t width = 4;
  if (counts && version >= '2') {  // the same again with 64 bits
    reader.take(counts->bytes(4));
    counts = read_header(reader, version);
    width = 8;
  }
  if (!counts || counts->types == 0 || counts->bytes(width) > reader.rest.size()) return nullptr;
  std::vector<TimeZone::Change> changes(counts->times);
  for (TimeZone::Change& change : changes) change.at = reader.signed_number(width);
  const std::string_view types = reader.take(counts->times);
  std::vector<int> offsets;
  for (std::size_t i = 0; i < counts->types; ++i) {
    offsets.push_back(static_cast<int>(reader.signed_number(4)));
    reader.take(2);
  }
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto type = static_cast<unsigned char>(types[i]);
    if (type >= offsets.size()) return nullptr;
    changes[i].offset = offsets[type];
  }
  reader.take(counts->characters + counts->leaps * (width + 4) + counts->standard + counts->utc);
  std::optional<TimeZone::Rule> rule;
  if (width == 8 && reader.rest.starts_with('\n')) {
    const std::string_view footer = reader.rest.substr(1);
    rule = parse_posix_zone(footer.substr(0, footer.find('\n')));
  }
  return std::make_unique<TimeZone>(std::move(name), offsets.front(), std::move(changes), rule);
}

// Parses the POSIX form from left to right.
class PosixParser {
 public:
  explicit PosixParser(std::string_view text) : rest_(text) {}

  std::optional<TimeZone::Rule> parse() {
    TimeZone::Rule rule;
    if (!name()) return std::nullopt;
    const auto standard = time();
    if (!standard) return std::nullopt;
    rule.standard = rule.summer = -static_cast<int>(*standard);
    if (rest_.empty()) return rule;
    if (!name()) return std::nullopt;
    rule.summer = rule.standard + 3600;
    if (!rest_.empty() && rest_.front() != ',') {
      const auto summer = time();
      if (!summer) return std::nullopt;
      rule.summer = -static_cast<int>(*summer);
    }
    rule.begin = change();
    rule.end = change();
    return rule.begin && rule.end && rest_.empty() ? std::optional(rule) : std::nullopt;
  }

 private:
  bool accept(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool name() {
    if (accept('<')) {
      const std::size_t end = rest_.find('>');
      if (end == std::string_view::npos) return false;
      rest_.remove_prefix(end + 1);
      return true;
    }
    std::size_t letters = 0;
    while (letters < rest_.size() && std::isalpha(static_cast<unsigned char>(rest_[letters])) != 0) ++letters;
    rest_.remove_prefix(letters);
    return letters >= 3;
  }

  std::optional<int> number() {
    int value = 0, digits = 0;
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9' && digits < 4) {
      value = value * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
      ++digits;
    }
    return digits > 0 ? std::optional(value) : std::nullopt;
  }

  // [+-]hours[:minutes[:seconds]] in seconds.
  std::optional<std::int64_t> time() {
    const bool negative = accept('-');
    if (!negative) accept('+');
    std::int64_t seconds = 0;
    for (const int unit : {3600, 60, 1}) {
      if (unit < 3600 && !accept(':')) break;
      const auto value = number();
      if (!value || *value > 167 || (unit < 3600 && *value > 59)) return std::nullopt;
      seconds += std::int64_t{*value} * unit;
    }
    return negative ? -seconds : seconds;
  }

  // ,Mmonth.week.weekday[/time]; the forms by the day of the year occur in no zone of the database.
  std::optional<YearlyChange> change() {
    if (!accept(',') || !accept('M')) return std::nullopt;
    YearlyChange result;
    result.seconds = 7200;
    for (int* field : {&result.month, &result.week, &result.weekday}) {
      if (field != &result.month && !accept('.')) return std::nullopt;
      const auto value = number();
      if (!value) return std::nullopt;
      *field = *value;
    }
    if (result.month < 1 || result.month > 12 || result.week < 1 || result.week > 5 || result.weekday > 6) return std::nullopt;
    if (accept('/')) {
      const auto seconds = time();
      if (!seconds) return std::nullopt;
      result.seconds = *seconds;
    }
    return result;
  }

  std::string_view rest_;
};

}  // namespace

std::unique_ptr<TimeZone> read_time_zone(std::string_view name) {
  std::string found;
  const fs::path path = find_file(name, found);
  if (path.empty()) return nullptr;
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return bytes.size() < kHeaderBytes ? nullptr : parse_file(std::move(found), bytes);
}

std::optional<TimeZone::Rule> parse_posix_zone(std::string_view text) {
  return PosixParser(text).parse();
}

}  // namespace saccade
