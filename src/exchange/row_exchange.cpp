#include "exchange/row_exchange.hpp"

#include <cstring>
#include <numeric>

#include "common/error.hpp"
#include "exchange/text_transfer.hpp"
#include "function/hash.hpp"

namespace saccade {
namespace {

// Where rows go to or come from: rows per rank, and each rank's first row in a buffer in rank order.
struct Parts {
  std::vector<std::int64_t> rows, first;
  std::int64_t total = 0;

  explicit Parts(std::vector<std::int64_t> rows_of) : rows(std::move(rows_of)), first(rows.size()) {
    std::exclusive_scan(rows.begin(), rows.end(), first.begin(), std::int64_t{0});
    total = std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
  }
  std::vector<std::int64_t> bytes(int width) const { return scaled(rows, width); }
  std::vector<std::int64_t> offsets(int width) const { return scaled(first, width); }

 private:
  static std::vector<std::int64_t> scaled(std::vector<std::int64_t> values, int width) {
    for (std::int64_t& value : values) value *= width;
    return values;
  }
};

const std::byte* bytes_at(const std::shared_ptr<const Buffer>& buffer) {
  return buffer ? buffer->data() : nullptr;
}

std::size_t size_of(const Communicator& communicator) {
  return static_cast<std::size_t>(communicator.size());
}

// Bytes of one row as it travels.
std::int64_t row_bytes(const RowSet& rows) {
  std::int64_t width = 0;
  for (const LaneColumn& column : rows.columns) width += lane_bytes(column.lane) + (column.valid ? 1 : 0);
  return width;
}

void count(std::int64_t sent, std::int64_t received, const RowSet& result, ExchangeStatistics& statistics) {
  statistics.rows_sent += sent;
  statistics.bytes_sent += sent * row_bytes(result);
  statistics.rows_received += received;
  statistics.bytes_received += received * row_bytes(result);
}

// Which columns travel with validity: those that may hold nulls on any rank. Also checks that all ranks have the same lanes.
std::vector<std::uint8_t> agree_nullable(const RowSet& rows, Communicator& communicator) {
  constexpr int kNullable = 0x80;
  const std::size_t columns = rows.columns.size(), ranks = size_of(communicator);
  std::vector<std::uint8_t> mine, all(columns * ranks), nullable(columns, 0);
  for (const LaneColumn& column : rows.columns) {
    mine.push_back(static_cast<std::uint8_t>(static_cast<int>(column.lane) | (column.valid ? kNullable : 0)));
  }
  const Parts parts(std::vector<std::int64_t>(ranks, static_cast<std::int64_t>(columns)));
  communicator.all_gather(reinterpret_cast<const std::byte*>(mine.data()), static_cast<std::int64_t>(columns),
                          reinterpret_cast<std::byte*>(all.data()), parts.offsets(1), parts.rows);
  for (std::size_t i = 0; i < all.size(); ++i) {
    SACCADE_CHECK((all[i] & ~kNullable) == (mine[i % columns] & ~kNullable));
    nullable[i % columns] |= all[i] & kNullable;
  }
  return nullable;
}

// Validity bytes to send: a rank without nulls in the column sends ones.
std::shared_ptr<const Buffer> valid_bytes(const LaneColumn& column, std::int64_t rows, MemoryPool& pool) {
  if (column.valid) return column.valid;
  std::shared_ptr<Buffer> ones = Buffer::allocate(rows, pool);
  std::memset(ones->data(), 1, static_cast<std::size_t>(rows));
  return ones;
}

// The rank of each row, int32. Keys are hashed column by column, a block of rows at a time, so that the loops vectorise.
std::unique_ptr<Buffer> destinations(std::int64_t rows, const std::vector<LaneColumn>& keys, int ranks, MemoryPool& pool) {
  constexpr std::int64_t kBlock = 2048;
  auto result = Buffer::allocate(rows * 4, pool);
  std::int32_t* destination = result->as<std::int32_t>();
  std::vector<u64> hashes(kBlock);
  for (std::int64_t begin = 0; begin < rows; begin += kBlock) {
    const std::int64_t count = std::min(kBlock, rows - begin);
    std::fill(hashes.begin(), hashes.end(), kHashSeed);
    for (const LaneColumn& key : keys) {
      const std::int64_t* parts = key.as<std::int64_t>() + begin;
      for (std::int64_t i = 0; i < count; ++i) {
        hashes[static_cast<std::size_t>(i)] = hash_part(hashes[static_cast<std::size_t>(i)], parts[i]);
      }
    }
    for (std::int64_t i = 0; i < count; ++i) {
      destination[begin + i] = partition_of(hash_finish(hashes[static_cast<std::size_t>(i)]), ranks);
    }
  }
  return result;
}

template <class T>
void scatter(const std::byte* from, const std::int32_t* destination, std::int64_t rows, std::vector<std::int64_t> next,
             std::byte* to) {
  const T* source = reinterpret_cast<const T*>(from);
  T* target = reinterpret_cast<T*>(to);
  for (std::int64_t row = 0; row < rows; ++row) {
    target[next[static_cast<std::size_t>(destination[row])]++] = source[row];
  }
}

// One shuffle's fixed part: who gets which rows, and what arrives.
struct Shuffle {
  Communicator& communicator;
  MemoryPool& pool;
  std::unique_ptr<Buffer> destination;
  std::int64_t rows;
  Parts send, receive;

  // As move, for strings.
  std::shared_ptr<const Buffer> move_texts(const LaneColumn& column, TextStore* texts) const {
    SACCADE_CHECK(texts != nullptr);
    PackedTexts packed =
        pack_texts(column, rows, destination->as<std::int32_t>(), static_cast<std::size_t>(communicator.size()), pool);
    const Parts arriving(communicator.exchange_sizes(packed.sizes));
    const Parts leaving(std::move(packed.sizes));
    std::shared_ptr<Buffer> received = Buffer::allocate(arriving.total, pool);
    communicator.all_to_all(packed.bytes->data(), leaving.first, leaving.rows, received->data(), arriving.first, arriving.rows);
    return unpack_texts(std::move(received), arriving.total, receive.total, *texts, pool);
  }

  // Sorts `values` by destination and sends them; what arrives lies in the buffer that the result keeps.
  std::shared_ptr<const Buffer> move(const std::byte* values, int width) const {
    auto sorted = Buffer::allocate(rows * width, pool);
    const std::int32_t* rank_of = destination->as<std::int32_t>();
    if (width == 1) {
      scatter<std::uint8_t>(values, rank_of, rows, send.first, sorted->data());
    } else if (width == 8) {
      scatter<std::uint64_t>(values, rank_of, rows, send.first, sorted->data());
    } else {
      scatter<uint128>(values, rank_of, rows, send.first, sorted->data());
    }
    std::shared_ptr<Buffer> received = Buffer::allocate(receive.total * width, pool);
    communicator.all_to_all(sorted->data(), send.offsets(width), send.bytes(width), received->data(), receive.offsets(width),
                            receive.bytes(width));
    return received;
  }
};

Shuffle plan_shuffle(const RowSet& rows, const std::vector<LaneColumn>& keys, Communicator& communicator, MemoryPool& pool) {
  for (const LaneColumn& key : keys) SACCADE_CHECK(key.lane == Lane::kInt64 && !key.valid);
  auto destination = destinations(rows.rows, keys, communicator.size(), pool);
  std::vector<std::int64_t> counts(size_of(communicator), 0);
  const std::int32_t* rank_of = destination->as<std::int32_t>();
  for (std::int64_t row = 0; row < rows.rows; ++row) ++counts[static_cast<std::size_t>(rank_of[row])];
  std::vector<std::int64_t> arriving = communicator.exchange_sizes(counts);
  return {communicator, pool, std::move(destination), rows.rows, Parts(std::move(counts)), Parts(std::move(arriving))};
}

// Collects each column of all ranks, in rank order, on `root` (on all: -1).
RowSet collect_rows(const RowSet& rows, int root, Communicator& communicator, MemoryPool& pool, TextStore* texts) {
  const auto nullable = agree_nullable(rows, communicator);
  const Parts parts(communicator.exchange_sizes(std::vector<std::int64_t>(size_of(communicator), rows.rows)));
  const bool receives = root < 0 || communicator.rank() == root;
  RowSet result{.rows = receives ? parts.total : 0, .columns = {}};
  const auto collect = [&](const std::shared_ptr<const Buffer>& values, int width) -> std::shared_ptr<const Buffer> {
    std::shared_ptr<Buffer> received = Buffer::allocate(result.rows * width, pool);
    if (root < 0) {
      communicator.all_gather(bytes_at(values), rows.rows * width, received->data(), parts.offsets(width), parts.bytes(width));
    } else {
      communicator.gather(bytes_at(values), rows.rows * width, receives ? received->data() : nullptr, parts.offsets(width),
                          parts.bytes(width), root);
    }
    return received;
  };
  const auto collect_texts = [&](const LaneColumn& column) {
    SACCADE_CHECK(texts != nullptr);
    const PackedTexts packed = pack_texts(column, rows.rows, nullptr, 1, pool);
    const std::int64_t size = packed.sizes.front();
    const Parts bytes(communicator.exchange_sizes(std::vector<std::int64_t>(size_of(communicator), size)));
    const std::int64_t total = receives ? bytes.total : 0;
    std::shared_ptr<Buffer> received = Buffer::allocate(total, pool);
    if (root < 0) {
      communicator.all_gather(packed.bytes->data(), size, received->data(), bytes.first, bytes.rows);
    } else {
      communicator.gather(packed.bytes->data(), size, receives ? received->data() : nullptr, bytes.first, bytes.rows, root);
    }
    return unpack_texts(std::move(received), total, result.rows, *texts, pool);
  };
  for (std::size_t i = 0; i < rows.columns.size(); ++i) {
    const LaneColumn& column = rows.columns[i];
    LaneColumn& target = result.columns.emplace_back(LaneColumn{.lane = column.lane, .values = {}, .valid = {}});
    target.values = column.lane == Lane::kText ? collect_texts(column) : collect(column.values, lane_bytes(column.lane));
    if (nullable[i] != 0) target.valid = collect(valid_bytes(column, rows.rows, pool), 1);
  }
  return result;
}

}  // namespace

RowSet shuffle_rows(const RowSet& rows, const std::vector<LaneColumn>& keys, Communicator& communicator, MemoryPool& pool,
                    ExchangeStatistics& statistics, TextStore* texts) {
  if (communicator.size() == 1) return rows;
  const auto nullable = agree_nullable(rows, communicator);
  const Shuffle shuffle = plan_shuffle(rows, keys, communicator, pool);
  RowSet result{.rows = shuffle.receive.total, .columns = {}};
  for (std::size_t i = 0; i < rows.columns.size(); ++i) {
    const LaneColumn& column = rows.columns[i];
    LaneColumn& target = result.columns.emplace_back(LaneColumn{.lane = column.lane, .values = {}, .valid = {}});
    target.values = column.lane == Lane::kText ? shuffle.move_texts(column, texts)
                                               : shuffle.move(bytes_at(column.values), lane_bytes(column.lane));
    if (nullable[i] != 0) target.valid = shuffle.move(valid_bytes(column, rows.rows, pool)->data(), 1);
  }
  const std::size_t self = static_cast<std::size_t>(communicator.rank());
  count(rows.rows - shuffle.send.rows[self], result.rows - shuffle.receive.rows[self], result, statistics);
  return result;
}

RowSet broadcast_rows(const RowSet& rows, Communicator& communicator, MemoryPool& pool, ExchangeStatistics& statistics,
                      TextStore* texts) {
  if (communicator.size() == 1) return rows;
  RowSet result = collect_rows(rows, -1, communicator, pool, texts);
  count(rows.rows * (communicator.size() - 1), result.rows - rows.rows, result, statistics);
  return result;
}

RowSet gather_rows(const RowSet& rows, Communicator& communicator, MemoryPool& pool, ExchangeStatistics& statistics,
                   TextStore* texts) {
  if (communicator.size() == 1) return rows;
  RowSet result = collect_rows(rows, 0, communicator, pool, texts);
  const bool root = communicator.rank() == 0;
  count(root ? 0 : rows.rows, root ? result.rows - rows.rows : 0, result, statistics);
  return result;
}

}  // namespace saccade
