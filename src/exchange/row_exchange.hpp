// Moves rows between ranks: shuffle, broadcast, gather over a Communicator. Collective: all ranks call with the same columns.
#pragma once

#include <vector>

#include "data/row_set.hpp"
#include "data/text_store.hpp"
#include "exchange/communicator.hpp"

namespace saccade {

struct ExchangeStatistics {
  std::int64_t rows_sent = 0, rows_received = 0, bytes_sent = 0, bytes_received = 0;
};

// The rank a row belongs to: the shared hash of its key parts (function/hash.hpp), high bits, modulo the number of ranks.
// keys: int64 columns without nulls. Sizes travel first; each column is then received straight into its final buffer. `texts`
// keeps the strings that arrive; needed where a column is in lane kText.
RowSet shuffle_rows(const RowSet& rows, const std::vector<LaneColumn>& keys, Communicator& communicator, MemoryPool& pool,
                    ExchangeStatistics& statistics, TextStore* texts = nullptr);
// Every rank gets every rank's rows, in rank order.
RowSet broadcast_rows(const RowSet& rows, Communicator& communicator, MemoryPool& pool, ExchangeStatistics& statistics,
                      TextStore* texts = nullptr);
// Rank 0 gets every rank's rows, in rank order; the others get none (columns with no rows).
RowSet gather_rows(const RowSet& rows, Communicator& communicator, MemoryPool& pool, ExchangeStatistics& statistics,
                   TextStore* texts = nullptr);

}  // namespace saccade
