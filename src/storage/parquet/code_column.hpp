// A text column all of whose pages hold indexes of dictionary pages: the dictionary of the table, and by row group the code of
// each index. Only dictionary pages are read for it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "storage/parquet/text_column.hpp"

namespace saccade {

struct CodeColumn {
  struct Group {
    std::vector<std::uint32_t> codes;  // by index of the row group's dictionary page
    std::optional<Bounds> bounds;      // of the codes; nothing where there are none
  };

  std::shared_ptr<const Dictionary> dictionary;
  std::vector<Group> groups;  // by part
  Reservation memory;
};

// The dictionary and codes are counted in `kept`, what is needed on the way in `pool`. Errors: 22021 invalid UTF-8, XX001,
// 58030, 53200.
CodeColumn read_dictionaries(const std::vector<TextPart>& parts, int threads, MemoryPool& kept, MemoryPool& pool);

}  // namespace saccade
