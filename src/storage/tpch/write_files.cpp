#include "storage/tpch/write_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <optional>

#include "common/error.hpp"
#include "storage/new_file.hpp"
#include "storage/parallel.hpp"
#include "storage/tpch/generate.hpp"
#include "storage/tpch/write_parquet.hpp"
#include "storage/tpch/write_text.hpp"

namespace saccade::tpch {
namespace {

// Lets the parts of the whole work write in their order while they are made in any. A part waits only for those begun before.
class Turns {
 public:
  Turns(std::int64_t parts, std::function<void(double)> progress) : parts_(parts), progress_(std::move(progress)) {}

  // Calls write() when all parts before have written; not after give_up().
  template <class Write>
  void take(std::int64_t part, Write write) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return given_up_ || next_ == part; });
    if (given_up_) return;
    lock.unlock();
    write();
    if (progress_) progress_(static_cast<double>(part + 1) / static_cast<double>(parts_));
    lock.lock();
    ++next_;
    changed_.notify_all();
  }
  // Where a part failed: those that wait for it end without writing.
  void give_up() {
    const std::scoped_lock lock(mutex_);
    given_up_ = true;
    changed_.notify_all();
  }

 private:
  const std::int64_t parts_;
  const std::function<void(double)> progress_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t next_ = 0;
  bool given_up_ = false;
};

// One table's file while it is written.
class TableFile {
 public:
  TableFile(const FileRequest& request, TableId table)
      : request_(request), table_(table), parts_(Parts::of(table, request.scale)), columns_(all_columns(table)) {}

  std::int64_t part_count() const { return parts_.count(); }

  // Any thread, in the order of parts; the file is opened by the first part and completed by the last.
  void make_part(std::int64_t part, std::int64_t turn, Turns& turns) {
    const GeneratedRows rows = generate(table_, request_.scale, parts_.first(part), parts_.size(part), columns_);
    if (request_.format == FileFormat::kParquet) {
      std::call_once(opened_, [&] { open_parquet(); });
      const std::shared_ptr<const ParquetWriter::RowGroup> group = parquet_->convert(rows);
      turns.take(turn, [&] { finish_part(part, [&] { parquet_->write(*group); }); });
      return;
    }
    const TextFormat format = request_.format == FileFormat::kCsv ? TextFormat::kCsv : TextFormat::kTbl;
    std::string text = part == 0 ? text_header(table_, columns_, format) : "";
    append_text(table_, columns_, rows, format, text);
    std::call_once(opened_, [&] { open(); });
    turns.take(turn, [&] { finish_part(part, [&] { file_->write(text); }); });
  }

 private:
  void open() {
    file_.emplace(
        (std::filesystem::path(request_.directory) / fmt::format("{}.{}", table_spec(table_).name, extension(request_.format)))
            .string());
  }
  void open_parquet() {
    open();
    parquet_.emplace(table_, columns_, [this](std::string_view bytes) { file_->write(bytes); });
  }
  template <class Write>
  void finish_part(std::int64_t part, Write write) {
    write();
    if (part + 1 < parts_.count()) return;
    if (parquet_) parquet_->finish();
    file_->commit();
  }

  const FileRequest& request_;
  TableId table_;
  Parts parts_;
  std::vector<int> columns_;
  std::once_flag opened_;
  std::optional<NewFile> file_;
  std::optional<ParquetWriter> parquet_;
};

void make_directory(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw Error(sqlstate::kIoError, fmt::format("could not create the folder \"{}\": {}", directory, error.message()));
}

}  // namespace

std::string_view extension(FileFormat format) {
  return format == FileFormat::kTbl ? "tbl" : format == FileFormat::kCsv ? "csv" : "parquet";
}

FileFormat parse_format(std::string_view text) {
  for (const FileFormat format : {FileFormat::kTbl, FileFormat::kCsv, FileFormat::kParquet}) {
    if (text == extension(format)) return format;
  }
  throw Error(sqlstate::kInvalidParameterValue, fmt::format("\"{}\" is no format: choose tbl, csv or parquet", text));
}

void write_files(const FileRequest& request) {
  make_directory(request.directory);
  std::vector<std::unique_ptr<TableFile>> files;
  std::vector<std::int64_t> ends;  // of each table's parts among all
  std::int64_t total = 0;
  for (const TableId table : request.tables) {
    files.push_back(std::make_unique<TableFile>(request, table));
    ends.push_back(total += files.back()->part_count());
  }
  Turns turns(total, request.progress);
  parallel_for(total, request.threads, [&](std::int64_t turn) {
    try {
      const auto table = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), turn) - ends.begin());
      files[table]->make_part(turn - (table == 0 ? 0 : ends[table - 1]), turn, turns);
    } catch (const std::bad_alloc&) {
      turns.give_up();
      throw Error(sqlstate::kOutOfMemory, "the rows of a table did not fit in memory: choose fewer threads");
    } catch (...) {
      turns.give_up();
      throw;
    }
  });
}

}  // namespace saccade::tpch
