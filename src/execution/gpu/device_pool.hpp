// Device memory for one runtime: large blocks are taken from the driver and kept; pieces of them are handed out best fit, and
// freed neighbours grow together again. So a warm query makes no allocation call.
//
// Blocks are given back only when the pool ends, or when an allocation would otherwise fail and a block lies wholly unused.
// A freed piece may be handed out at once: all users of a pool work in the order of one stream. One thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "execution/gpu/device_runtime.hpp"

namespace saccade::gpu {

// The limit on device memory that all runtimes of one device in this process share. Thread-safe.
class DeviceBudget {
 public:
  explicit DeviceBudget(std::int64_t limit) : limit_(limit) {}
  bool reserve(std::int64_t bytes);  // false: it would pass the limit
  void release(std::int64_t bytes) noexcept { used_.fetch_sub(bytes); }
  std::int64_t limit() const { return limit_; }
  std::int64_t used() const { return used_.load(); }

 private:
  const std::int64_t limit_;
  std::atomic<std::int64_t> used_{0};
};

// Where a pool takes its blocks from: the driver, or a stand-in in tests.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  // Nothing if there is not enough memory. Other errors raise.
  virtual std::optional<DeviceAddress> take(std::int64_t bytes) = 0;
  virtual void give_back(DeviceAddress address) noexcept = 0;
};

class DevicePool {
 public:
  static constexpr std::int64_t kAlignment = 256;
  static constexpr std::int64_t kFirstBlock = std::int64_t{64} << 20;   // each further block twice as large
  static constexpr std::int64_t kLargestBlock = std::int64_t{1} << 30;  // unless one piece needs more
  static constexpr std::int64_t kBlockGranule = std::int64_t{2} << 20;

  // Both must outlive the pool. `device`: its name for errors.
  DevicePool(std::string device, BlockSource& source, DeviceBudget& budget);
  ~DevicePool();
  DevicePool(const DevicePool&) = delete;
  DevicePool& operator=(const DevicePool&) = delete;

  // Aligned to kAlignment. Errors: 53200.
  DeviceAddress allocate(std::int64_t bytes);
  // The bytes that were handed out there, rounded up. 0 is ignored.
  std::int64_t free(DeviceAddress address) noexcept;

  std::int64_t used() const { return used_; }  // bytes handed out, rounded up
  std::int64_t held() const { return held_; }  // bytes of all blocks

 private:
  struct Piece {
    std::int64_t size = 0;
    DeviceAddress block = 0;  // first address of the driver's block that holds it
    bool free = true;
  };
  using Pieces = std::map<DeviceAddress, Piece>;

  std::optional<DeviceAddress> take_piece(std::int64_t size);
  void grow(std::int64_t size);
  bool add_block(std::int64_t size);
  bool give_back_unused() noexcept;
  Pieces::iterator join_with_next(Pieces::iterator piece) noexcept;

  const std::string device_;
  BlockSource& source_;
  DeviceBudget& budget_;
  Pieces pieces_;                                          // by address; neighbours of one block touch
  std::set<std::pair<std::int64_t, DeviceAddress>> free_;  // by size, then address
  std::map<DeviceAddress, std::int64_t> blocks_;           // sizes
  std::int64_t next_block_ = kFirstBlock;
  std::int64_t used_ = 0;
  std::int64_t held_ = 0;
};

}  // namespace saccade::gpu
