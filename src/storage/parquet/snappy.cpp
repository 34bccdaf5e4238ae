#include "storage/parquet/snappy.hpp"

#include <array>
#include <cstring>

namespace saccade {
namespace {

using Byte = std::uint8_t;

template <std::size_t kBytes>
void copy(const Byte* from, Byte* to) {
  std::array<Byte, kBytes> bytes;
  std::memcpy(bytes.data(), from, kBytes);
  std::memcpy(to, bytes.data(), kBytes);
}

// The length in front of a block: seven bits a byte, at most 32 bits. Null where it is malformed.
const Byte* read_length(const Byte* at, const Byte* end, std::uint64_t& length) {
  length = 0;
  for (int shift = 0; shift < 35 && at < end; shift += 7) {
    const Byte byte = *at++;
    length |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return length <= UINT32_MAX ? at : nullptr;
  }
  return nullptr;
}

// What a tag of a back reference says.
struct Reference {
  std::ptrdiff_t tag_bytes = 0, distance = 0, length = 0;
};

// Kinds 1 (two bytes) and 2 (three bytes) follow each other at random, so they are told apart without a branch.
// `following`: the four bytes behind the tag.
Reference short_reference(std::uint32_t tag, std::uint32_t following) {
  const std::uint32_t first_kind = -(tag & 1), high = tag >> 2;
  const std::uint32_t length = (high & (0x3f ^ (0x38 & first_kind))) + 1 + (3 & first_kind);
  const std::uint32_t distance = (following & (0xffff ^ (0xff00 & first_kind))) | ((tag >> 5 << 8) & first_kind);
  return {static_cast<std::ptrdiff_t>(tag & 3) + 1, static_cast<std::ptrdiff_t>(distance), static_cast<std::ptrdiff_t>(length)};
}

class Unpacker {
 public:
  Unpacker(const Byte* from, const Byte* from_end, std::span<Byte> to)
      : from_(from), from_end_(from_end), begin_(to.data()), to_(to.data()), to_end_(to.data() + to.size()) {}

  bool run() {
    while (from_ < from_end_) {
      if (!run_far_from_ends()) return false;
      if (from_ == from_end_) break;
      const bool good = (*from_ & 3) == 0 ? literal() : back_reference();
      if (!good) return false;
    }
    return to_ == to_end_;
  }

 private:
  static constexpr std::ptrdiff_t kReadAhead = 40;   // a literal of 16, two tags, and what is read with them
  static constexpr std::ptrdiff_t kWriteAhead = 96;  // a literal of 16 and a reference, written in units of 16

  std::ptrdiff_t left() const { return from_end_ - from_; }
  std::ptrdiff_t room() const { return to_end_ - to_; }

  // Short elements, as long as neither end is near: copies have fixed lengths, and what they write too much is overwritten.
  // False where a reference leads before the beginning.
  bool run_far_from_ends() {
    const Byte* from = from_;
    Byte* to = to_;
    bool good = true;
    while (from_end_ - from > kReadAhead && to_end_ - to > kWriteAhead) {
      std::uint32_t tag = *from;
      if ((tag & 3) == 0) {
        const std::ptrdiff_t length = static_cast<std::ptrdiff_t>(tag >> 2) + 1;
        if (length > 16) break;
        copy<16>(from + 1, to);
        to += length;
        from += length + 1;
        tag = *from;
        if ((tag & 3) == 0) continue;
      }
      if ((tag & 3) == 3) break;
      std::uint32_t following = 0;
      std::memcpy(&following, from + 1, sizeof(following));
      const Reference reference = short_reference(tag, following);
      good = reference.distance > 0 && reference.distance <= to - begin_;
      if (!good) break;
      from += reference.tag_bytes;
      repeat_with_room(to, reference);
      to += reference.length;
    }
    from_ = from;
    to_ = to;
    return good;
  }

  // Two copies of eight, one after the other, also serve where the second reads what the first wrote.
  static void repeat_with_room(Byte* to, const Reference& reference) {
    const Byte* source = to - reference.distance;
    if (reference.distance >= 8 && reference.length <= 16) [[likely]] {
      copy<8>(source, to);
      copy<8>(source + 8, to + 8);
    } else if (reference.distance >= 16) {
      for (int done = 0; done < 64; done += 16) copy<16>(source + done, to + done);
    } else {
      for (std::ptrdiff_t done = 0; done < reference.length; ++done) to[done] = source[done];
    }
  }

  bool literal() {
    std::ptrdiff_t length = (*from_++ >> 2) + 1;
    if (length > 60) {  // the length minus one stands in the next 1 to 4 bytes
      const std::ptrdiff_t bytes = length - 60;
      if (left() < bytes) return false;
      std::uint32_t stated = 0;
      std::memcpy(&stated, from_, static_cast<std::size_t>(bytes));
      length = static_cast<std::ptrdiff_t>(stated) + 1;
      from_ += bytes;
    }
    if (left() < length || room() < length) return false;
    std::memcpy(to_, from_, static_cast<std::size_t>(length));
    from_ += length;
    to_ += length;
    return true;
  }

  bool back_reference() {
    const std::uint32_t tag = *from_;
    std::uint32_t following = 0;
    const std::ptrdiff_t tag_bytes = (tag & 3) == 3 ? 5 : static_cast<std::ptrdiff_t>(tag & 3) + 1;
    if (left() < tag_bytes) return false;
    std::memcpy(&following, from_ + 1, static_cast<std::size_t>(tag_bytes - 1));
    Reference reference = short_reference(tag, following);
    if ((tag & 3) == 3) reference = {tag_bytes, following, static_cast<std::ptrdiff_t>(tag >> 2) + 1};
    if (reference.distance == 0 || reference.distance > to_ - begin_ || reference.length > room()) return false;
    const Byte* source = to_ - reference.distance;  // may reach into what is written now, as in "abab"
    for (std::ptrdiff_t done = 0; done < reference.length; ++done) to_[done] = source[done];
    from_ += tag_bytes;
    to_ += reference.length;
    return true;
  }

  const Byte* from_;
  const Byte* from_end_;
  const Byte* begin_;
  Byte* to_;
  Byte* to_end_;
};

}  // namespace

std::optional<std::int64_t> snappy_length(std::span<const std::uint8_t> block) {
  std::uint64_t length = 0;
  if (read_length(block.data(), block.data() + block.size(), length) == nullptr) return std::nullopt;
  return static_cast<std::int64_t>(length);
}

bool unpack_snappy(std::span<const std::uint8_t> block, std::span<std::uint8_t> to) {
  const Byte* end = block.data() + block.size();
  std::uint64_t length = 0;
  const Byte* from = read_length(block.data(), end, length);
  if (from == nullptr || length != to.size()) return false;
  return Unpacker(from, end, to).run();
}

}  // namespace saccade
