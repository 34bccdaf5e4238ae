// The hybrid of run lengths and bit packing (Parquet's Encodings.md, "RLE"): indexes into a dictionary, definition levels.
#pragma once

#include <cstdint>
#include <span>

namespace saccade {

class IndexRuns {
 public:
  static constexpr std::int64_t kBlock = 1024;

  // `width`: bits of an index, 0 to 32. `bytes` must outlive this.
  IndexRuns(std::span<const std::uint8_t> bytes, int width)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()), width_(width) {}

  // The next indexes. 0 where there are no more, or what follows is malformed. Where all are the same, only the first is put
  // into `indexes` and `repeated` is set. The last may be more than were written: padding to eight.
  std::int64_t next(std::uint32_t (&indexes)[kBlock], bool& repeated);

 private:
  bool begin_run();

  const std::uint8_t* at_;
  const std::uint8_t* end_;
  int width_;
  std::int64_t repeats_ = 0;  // left of a run of one index, with its value
  std::uint32_t value_ = 0;
  std::int64_t groups_ = 0;  // left of packed groups of eight
};

}  // namespace saccade
