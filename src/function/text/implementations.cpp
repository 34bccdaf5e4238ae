#include "function/text/implementations.hpp"

#include <array>

#include "common/error.hpp"

namespace saccade {
namespace {

using namespace text_impl;

#define SACCADE_TEXT_FUNCTION(name, result, arguments, nulls, can_fail) TextImplementation{run_##name, nullptr},
std::array kImplementations = {
#include "function/text/functions.inc"
};
#undef SACCADE_TEXT_FUNCTION

void set_prepare(TextFunctionId id, decltype(TextImplementation::prepare) prepare) {
  kImplementations[static_cast<std::size_t>(id)].prepare = prepare;
}

const auto& implementations() {
  static const bool kPrepared = [] {
    set_prepare(TextFunctionId::text_like, prepare_like);
    set_prepare(TextFunctionId::text_ilike, prepare_ilike);
    set_prepare(TextFunctionId::regexp_like, prepare_regex<2>);
    set_prepare(TextFunctionId::regexp_count, prepare_regex<3>);
    set_prepare(TextFunctionId::regexp_substr, prepare_regex<4>);
    set_prepare(TextFunctionId::regexp_instr, prepare_regex<5>);
    set_prepare(TextFunctionId::regexp_replace, prepare_regex<5>);
    set_prepare(TextFunctionId::substring_regex, prepare_regex<-1>);
    return true;
  }();
  SACCADE_CHECK(kPrepared);
  return kImplementations;
}

}  // namespace

const TextImplementation& text_implementation(TextFunctionId id) {
  return implementations().at(static_cast<std::size_t>(id));
}

char* TextScratch::room(std::int64_t bytes) {
  if (bytes < 0 || bytes > kMaxTextBytes) {
    throw Error("54000", "requested length too large", 0, "A text holds at most 1 GB.");
  }
  const std::int64_t needed = bytes + kTextPrefixBytes;
  if (needed > left_) {
    if (needed > kBlock / 4) return allocate(needed);
    next_ = allocate(kBlock);
    left_ = kBlock;
  }
  char* room = next_;
  next_ += needed;
  left_ -= needed;
  return room;
}

}  // namespace saccade
