// Reads damaged files in one process: every file must give rows or an error with a known SQLSTATE; never a crash, a hang, or
// memory that stays counted. A Parquet or Arrow file that is cut is an error. A flipped bit between a Parquet file's first page
// and its footer may make a value of one column another one, which nothing can tell where pages have no checksum (those that
// have one: test/unit/storage/parquet_damage_test.cpp); all other columns must give the values they had.
//
//   hostile_files [--full] [--flips N] [--seed N] [--only NAME] FILE_OR_FOLDER...
//
// Files: those named (.parquet, .csv, .arrow; of folders, the files in them) and some written here that hold every type. Each
// is cut at lengths over all of it (at every length with --full, or where it is small) and has bits flipped one at a time
// (10,000 with --full, else 150). The last line tells how many were read; the exit code is 1 if one went wrong.
#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "catalog/table.hpp"
#include "common/error.hpp"
#include "data/value.hpp"
#include "storage/file_opener.hpp"
#include "storage/file_writer.hpp"

namespace saccade {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMemoryLimit = std::int64_t{512} << 20;
// A file that takes longer is a hang: of processor time, and of the clock, which goes on while a busy machine does other work.
constexpr unsigned kProcessorSecondsPerFile = 60, kSecondsPerFile = 600;

// What a damaged or odd file may be answered with.
const std::set<std::string> kStates = {"XX001", "58030", "53200", "22021", "0A000", "22008", "22P04",
                                       "22P02", "22003", "22007", "42804", "58P01", "42501", "42809"};

struct Settings {
  bool full = false;
  int flips = 0;  // 0: as many as usual
  std::uint64_t seed = 1;
  std::string only;
  std::vector<fs::path> inputs;
};

std::string read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_bytes(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// What is being read, for the signal handler.
std::array<char, 256> current{};

void set_time_limit(bool on) {
  itimerval limit{};
  limit.it_value.tv_sec = on ? kProcessorSecondsPerFile : 0;
  ::setitimer(ITIMER_PROF, &limit, nullptr);
  ::alarm(on ? kSecondsPerFile : 0);
}

[[noreturn]] void hung(int) {
  constexpr std::string_view kText = " took too long\n";
  [[maybe_unused]] ssize_t written = ::write(2, current.data(), std::strlen(current.data()));
  written = ::write(2, kText.data(), kText.size());
  ::_exit(3);
}

// What was read of a file.
struct Contents {
  bool opened = false;
  std::int64_t rows = 0;
  std::vector<std::optional<std::size_t>> columns;  // a hash of the values; nothing where there was an error
};

void add_hash(std::size_t& hash, std::size_t value) {
  hash = hash * 1'099'511'628'211U + value + 1;
}

std::size_t hash_value(const Column& column, std::int64_t row) {
  const Value value = value_at(column, row);
  if (value.is_null()) return 0;
  if (const auto* text = std::get_if<std::string>(&value.data)) return std::hash<std::string>()(*text);
  if (const auto* number = std::get_if<double>(&value.data)) {
    std::size_t bits = 0;
    std::memcpy(&bits, number, sizeof(bits));
    return bits;
  }
  if (column.type.kind == TypeKind::kBoolean) return static_cast<std::size_t>(int64_at(column, row));
  const auto bits = static_cast<unsigned __int128>(int128_at(column, row));
  return static_cast<std::size_t>(bits) ^ static_cast<std::size_t>(bits >> 64) * 31;
}

// Where a Parquet file's footer begins.
std::size_t footer_begin(std::string_view whole) {
  std::uint32_t length = 0;
  if (whole.size() < 12) return 0;
  std::memcpy(&length, whole.data() + whole.size() - 8, sizeof(length));
  return whole.size() < 12 + std::size_t{length} ? 0 : whole.size() - 8 - length;
}

class Run {
 public:
  explicit Run(const Settings& settings) : settings_(settings), random_(settings.seed) {
    std::string pattern =
        (fs::exists("/dev/shm") ? "/dev/shm" : fs::temp_directory_path().string()) + "/saccade_hostile_XXXXXX";
    SACCADE_CHECK(mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
  }
  ~Run() { fs::remove_all(folder_); }

  const fs::path& folder() const { return folder_; }

  void damage(const fs::path& path) {
    const std::string whole = read_bytes(path);
    file_ = folder_ / ("damaged" + path.extension().string());
    name_ = path.filename().string();
    random_.seed(settings_.seed * 1'000'003 + whole.size());  // --only draws what a run over all files does
    const std::int64_t read_before = read_, errors_before = errors_;
    write_bytes(file_, whole);
    const Contents contents = read("whole");
    flip(whole, contents);
    cut(whole.size());
    fs::remove(file_);
    fmt::print("{}: {} files read, {} gave errors\n", name_, read_ - read_before, errors_ - errors_before);
    std::fflush(stdout);
  }

  void odd_files() {
    name_ = "odd files";
    for (const std::string ending : {".parquet", ".csv", ".arrow"}) {
      for (const std::string_view bytes :
           {std::string_view(""), std::string_view("P"), std::string_view("PAR1PAR1PAR1"), std::string_view("ARROW1\0\0", 8),
            std::string_view("ARROW1\0\0ARROW1", 14), std::string_view("\xff\xff\xff\xff\xff\xff\xff\x7f", 8),
            std::string_view("FEA1xxxxFEA1"), std::string_view("\0\0\0\0\0\0\0\0", 8), std::string_view("\n\n\n"),
            std::string_view("\"")}) {
        file_ = folder_ / ("odd" + ending);
        write_bytes(file_, bytes);
        read(fmt::format("{} bytes", bytes.size()));
      }
      expect((folder_ / ("missing" + ending)).string(), "58P01");
      fs::create_directory(folder_ / ("folder" + ending));
      expect((folder_ / ("folder" + ending)).string(), "42809");
      write_bytes(folder_ / ("closed" + ending), "x");
      fs::permissions(folder_ / ("closed" + ending), fs::perms::none);
      if (::access((folder_ / ("closed" + ending)).c_str(), R_OK) != 0) {
        expect((folder_ / ("closed" + ending)).string(), "42501");
      }
    }
  }

  bool report() const {
    fmt::print("{} files read, {} gave errors, {} went wrong\n", read_, errors_, wrong_);
    return wrong_ == 0;
  }

 private:
  void expect(const std::string& path, const std::string& state) {
    MemoryPool pool("pool", kMemoryLimit);
    try {
      make_file_opener(pool, 1)->open("read_file", path);
      fail(path, "was opened");
    } catch (const Error& error) {
      if (error.sqlstate() != state) fail(path, fmt::format("{} {}", error.sqlstate(), error.what()));
    }
  }

  void flip(const std::string& whole, const Contents& contents) {
    if (whole.empty()) return;
    const std::size_t footer = file_.extension() == ".parquet" ? footer_begin(whole) : 0;
    std::fstream file(file_, std::ios::binary | std::ios::in | std::ios::out);
    const auto put = [&](std::size_t at, char byte) {
      file.seekp(static_cast<std::streamoff>(at));
      file.put(byte).flush();
    };
    const int flips = settings_.flips > 0 ? settings_.flips : settings_.full ? 10'000 : 150;
    for (int i = 0; i < flips; ++i) {
      // Half of them near the ends, where the structure is described.
      const std::size_t near = std::min<std::size_t>(whole.size(), 2048);
      std::size_t at = random_() % whole.size();
      if (i % 2 == 0) at = i % 4 == 0 ? whole.size() - 1 - random_() % near : random_() % near;
      const int bit = static_cast<int>(random_() % 8);
      const std::string how = fmt::format("bit {} of byte {}", bit, at);
      put(at, static_cast<char>(whole[at] ^ 1 << bit));
      const Contents found = read(how);
      if (at < footer) compare(found, contents, how);
      put(at, whole[at]);
    }
  }

  void compare(const Contents& found, const Contents& whole, const std::string& how) {
    if (!found.opened) return;
    if (found.rows != whole.rows || found.columns.size() != whole.columns.size()) return fail(how, "other rows or columns");
    std::size_t others = 0;
    for (std::size_t i = 0; i < found.columns.size(); ++i) others += found.columns[i] != whole.columns[i] ? 1 : 0;
    if (others > 1) fail(how, fmt::format("{} columns are other ones", others));
  }

  void cut(std::size_t size) {
    const bool may_end_anywhere = file_.extension() == ".csv";
    const std::size_t most = settings_.full ? size : 300, step = 1 + (size - 1) / most;
    for (std::size_t length = size; length-- > 0;) {
      if (length % step != 0) continue;
      fs::resize_file(file_, length);
      const std::string how = fmt::format("cut at {}", length);
      if (read(how).opened && !may_end_anywhere) fail(how, "was opened");
    }
  }

  // All columns of all chunks, one column at a time, so that an unharmed one is still read.
  Contents read(const std::string& how) {
    ++read_;
    *fmt::format_to_n(current.data(), current.size() - 1, "{}, {}", name_, how).out = '\0';
    set_time_limit(true);
    Contents contents;
    MemoryPool pool("pool", kMemoryLimit);
    bool failed = false;
    {
      const std::unique_ptr<FileOpener> opener = make_file_opener(pool, 1);
      std::shared_ptr<Table> table;
      attempt(how, failed, [&] { table = opener->open("read_file", file_.string()); });
      contents.opened = table != nullptr;
      if (contents.opened) {
        contents.rows = table->row_count();
        contents.columns.resize(table->columns().size());
      }
      for (std::size_t column = 0; column < contents.columns.size(); ++column) {
        attempt(how, failed, [&] { contents.columns[column] = read_column(*table, static_cast<int>(column), pool); });
      }
    }
    set_time_limit(false);
    if (pool.used() != 0) fail(how, fmt::format("{} bytes stayed counted", pool.used()));
    errors_ += failed ? 1 : 0;
    return contents;
  }

  static std::size_t read_column(Table& table, int column, MemoryPool& pool) {
    table.prepare(std::array{column}, pool);
    std::int64_t rows = 0;
    std::size_t hash = 0;
    for (std::int64_t chunk = 0; chunk < table.chunk_count(0, 1); ++chunk) {
      const std::vector<Column> loaded = table.load(0, 1, chunk, std::array{column}, pool);
      SACCADE_CHECK(loaded.size() == 1 && loaded[0].length == table.chunk_rows(0, 1, chunk));
      verify_column(loaded[0]);
      for (std::int64_t row = 0; row < loaded[0].length; ++row) add_hash(hash, hash_value(loaded[0], row));
      rows += loaded[0].length;
    }
    SACCADE_CHECK(rows == table.row_count());
    return hash;
  }

  template <class Work>
  void attempt(const std::string& how, bool& failed, const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      failed = true;
      if (!kStates.contains(error.sqlstate())) fail(how, fmt::format("{} {}", error.sqlstate(), error.what()));
    } catch (const std::exception& error) {
      failed = true;
      fail(how, error.what());
    }
  }

  void fail(const std::string& how, const std::string& what) {
    ++wrong_;
    fmt::print("{}, {}: {}\n", name_, how, what);
  }

  const Settings& settings_;
  std::mt19937_64 random_;
  fs::path folder_, file_;
  std::string name_;
  std::int64_t read_ = 0, errors_ = 0, wrong_ = 0;
};

template <class T>
LaneColumn lane(Lane kind, const std::vector<T>& values, bool nulls, MemoryPool& pool) {
  LaneColumn column;
  column.lane = kind;
  const auto rows = static_cast<std::int64_t>(values.size());
  std::shared_ptr<Buffer> buffer = Buffer::allocate(rows * static_cast<std::int64_t>(sizeof(T)), pool);
  std::copy(values.begin(), values.end(), buffer->template as<T>());
  column.values = std::move(buffer);
  if (!nulls) return column;
  std::shared_ptr<Buffer> valid = Buffer::allocate(rows, pool);
  for (std::int64_t row = 0; row < rows; ++row) valid->as<std::uint8_t>()[row] = row % 7 == 3 ? 0 : 1;
  column.valid = std::move(valid);
  return column;
}

// A file with columns of many types, in row groups of two fifths of its rows.
void write_sample(const fs::path& path, FileFormat format, FileCompression compression, MemoryPool& pool,
                  std::int64_t row_count = 500, std::size_t columns_kept = SIZE_MAX) {
  std::vector<std::int64_t> numbers, codes, days;
  std::vector<double> doubles;
  std::vector<int128> wide;
  std::vector<std::uint8_t> booleans;
  for (std::int64_t row = 0; row < row_count; ++row) {
    numbers.push_back(row * 7919 % 1000 - 300);
    codes.push_back(row % 5);
    days.push_back(10'000 + row);
    doubles.push_back(static_cast<double>(row) / 8);
    wide.push_back(int128{row} * 1'000'000'000'000'000'000 * 1000);
    booleans.push_back(row % 3 == 0 ? 1 : 0);
  }
  const auto dictionary = Dictionary::from_strings({"", "a", "b,c", "line\nbreak", "say \"hi\""});
  std::vector<WriteColumn> columns = {{"i", {TypeKind::kInteger}, nullptr},     {"b", {TypeKind::kBigint}, nullptr},
                                      {"t", {TypeKind::kText}, dictionary},     {"d", {TypeKind::kDouble}, nullptr},
                                      {"n", DataType::numeric(38, 2), nullptr}, {"f", {TypeKind::kBoolean}, nullptr},
                                      {"day", {TypeKind::kDate}, nullptr},      {"ts", {TypeKind::kTimestamp}, nullptr}};
  RowSet rows;
  rows.rows = row_count;
  rows.columns = {lane(Lane::kInt64, numbers, true, pool), lane(Lane::kInt64, numbers, false, pool),
                  lane(Lane::kInt64, codes, true, pool),   lane(Lane::kFloat64, doubles, true, pool),
                  lane(Lane::kInt128, wide, true, pool),   lane(Lane::kBoolean, booleans, true, pool),
                  lane(Lane::kInt64, days, true, pool),    lane(Lane::kInt64, numbers, false, pool)};
  WriteOptions options;
  options.format = format;
  options.compression = compression;
  options.row_group_rows = row_count * 2 / 5;
  columns.resize(std::min(columns.size(), columns_kept));
  rows.columns.resize(columns.size());
  const std::unique_ptr<FileWriter> writer = make_file_writer(path.string(), columns, options, pool);
  writer->write(rows);
  writer->finish();
}

std::vector<fs::path> files_of(const std::vector<fs::path>& inputs) {
  std::vector<fs::path> files;
  for (const fs::path& input : inputs) {
    if (!fs::is_directory(input)) {
      files.push_back(input);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(input)) {
      const std::string ending = entry.path().extension().string();
      if (ending == ".parquet" || ending == ".csv" || ending == ".arrow") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

int run(const Settings& settings) {
  ::signal(SIGALRM, hung);
  ::signal(SIGPROF, hung);
  Run run(settings);
  MemoryPool pool("samples", 0);
  const fs::path folder = run.folder() / "samples";
  fs::create_directory(folder);
  write_sample(folder / "sample.csv", FileFormat::kCsv, FileCompression::kNone, pool);
  write_sample(folder / "plain.parquet", FileFormat::kParquet, FileCompression::kNone, pool);
  write_sample(folder / "zstd.parquet", FileFormat::kParquet, FileCompression::kZstd, pool);
  // Row groups large enough to be read in pieces.
  write_sample(folder / "pieces.parquet", FileFormat::kParquet, FileCompression::kSnappy, pool, 330'000, 2);
  write_sample(folder / "plain.arrow", FileFormat::kArrow, FileCompression::kNone, pool);
  write_sample(folder / "lz4.arrow", FileFormat::kArrow, FileCompression::kLz4, pool);
  std::vector<fs::path> inputs = settings.inputs;
  inputs.push_back(folder);
  for (const fs::path& file : files_of(inputs)) {
    if (settings.only.empty() || file.filename() == settings.only) run.damage(file);
  }
  if (settings.only.empty()) run.odd_files();
  return run.report() ? 0 : 1;
}

}  // namespace
}  // namespace saccade

int main(int argc, char** argv) {
  saccade::Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--full") {
      settings.full = true;
    } else if (argument == "--flips" && i + 1 < argc) {
      settings.flips = std::stoi(argv[++i]);
    } else if (argument == "--seed" && i + 1 < argc) {
      settings.seed = std::stoull(argv[++i]);
    } else if (argument == "--only" && i + 1 < argc) {
      settings.only = argv[++i];
    } else {
      settings.inputs.emplace_back(argument);
    }
  }
  return saccade::run(settings);
}
