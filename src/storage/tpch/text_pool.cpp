#include "storage/tpch/text_pool.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "common/error.hpp"
#include "storage/tpch/distributions.hpp"
#include "storage/tpch/random.hpp"

namespace saccade::tpch {
namespace {

constexpr std::uint32_t kSeed = 933588178;
constexpr std::int64_t kPieceBytes = TextPool::kBytes / TextPool::kPieces;
constexpr std::int64_t kLongestSentence = 512;  // more than any that the grammar can make

constexpr TextPlace kPlaces[] = {
#include "storage/tpch/text_pool_places.inc"
};

// One entry per unit of weight, each with room for copies of fixed length.
class WordTable {
 public:
  static constexpr std::size_t kRoom = 24;

  // Each word is followed by `suffix`.
  WordTable(std::span<const WeightedWord> words, std::string_view suffix) {
    for (const WeightedWord& word : words) {
      Entry entry{};
      SACCADE_CHECK(word.word.size() + suffix.size() <= kRoom);
      std::memcpy(entry.text, word.word.data(), word.word.size());
      std::memcpy(entry.text + word.word.size(), suffix.data(), suffix.size());
      entry.length = static_cast<std::uint32_t>(word.word.size() + suffix.size());
      entries_.insert(entries_.end(), static_cast<std::size_t>(word.weight), entry);
    }
    total_ = static_cast<double>(entries_.size());
  }

  // Writes one word; kRoom bytes are touched.
  char* append(RandomStream& random, char* out) const {
    const Entry& entry = entries_[static_cast<std::size_t>(random.draw_fraction() * total_)];
    std::memcpy(out, entry.text, kRoom);
    return out + entry.length;
  }

 private:
  struct Entry {
    char text[kRoom];
    std::uint32_t length;
  };
  std::vector<Entry> entries_;
  double total_ = 0;
};

// The grammar. N noun phrase, V verb phrase, P prepositional phrase, T terminator of sentences; in phrases the kinds of words.
constexpr WeightedWord kSentences[] = {{"NVT", 3}, {"NVPT", 3}, {"NVNT", 3}, {"NPVNT", 1}, {"NPVPT", 1}};
constexpr WeightedWord kNounPhrases[] = {{"N", 10}, {"JN", 20}, {"J,JN", 10}, {"DJN", 50}};
constexpr WeightedWord kVerbPhrases[] = {{"V", 30}, {"XV", 1}, {"VD", 40}, {"XVD", 1}};

class Grammar {
 public:
  // Writes one sentence and the space behind it; up to kLongestSentence bytes are touched.
  char* append_sentence(RandomStream& random, char* out) const {
    for (const char symbol : sentences_.pick(random)) {
      switch (symbol) {
        case 'N':
          out = append_words(noun_phrases_.pick(random), random, out);
          break;
        case 'V':
          out = append_words(verb_phrases_.pick(random), random, out);
          break;
        case 'P':
          out = prepositions_.append(random, out);
          out = append_words(noun_phrases_.pick(random), random, out);
          break;
        default:  // the terminator follows the last word without a space
          out = terminators_.append(random, out - 1);
      }
    }
    return out;
  }

 private:
  class Patterns {
   public:
    explicit Patterns(std::span<const WeightedWord> patterns) {
      for (const WeightedWord& pattern : patterns)
        by_weight_.insert(by_weight_.end(), static_cast<std::size_t>(pattern.weight), pattern.word);
    }
    std::string_view pick(RandomStream& random) const {
      return by_weight_[static_cast<std::size_t>(random.draw_fraction() * static_cast<double>(by_weight_.size()))];
    }

   private:
    std::vector<std::string_view> by_weight_;
  };

  char* append_words(std::string_view pattern, RandomStream& random, char* out) const {
    for (const char symbol : pattern) {
      switch (symbol) {
        case 'N':
          out = nouns_.append(random, out);
          break;
        case 'J':
          out = adjectives_.append(random, out);
          break;
        case 'D':
          out = adverbs_.append(random, out);
          break;
        case 'V':
          out = verbs_.append(random, out);
          break;
        case 'X':
          out = auxiliaries_.append(random, out);
          break;
        default:
          std::memcpy(out - 1, ", ", 2);
          ++out;
      }
    }
    return out;
  }

  WordTable nouns_{nouns(), " "}, verbs_{verbs(), " "}, adjectives_{adjectives(), " "}, adverbs_{adverbs(), " "};
  WordTable prepositions_{prepositions(), " the "}, auxiliaries_{auxiliaries(), " "}, terminators_{terminators(), " "};
  Patterns sentences_{kSentences}, noun_phrases_{kNounPhrases}, verb_phrases_{kVerbPhrases};
};

const Grammar& grammar() {
  static const Grammar* const shared = new Grammar;  // lives as long as the pool
  return *shared;
}

}  // namespace

TextPool::TextPool() : text_(new char[static_cast<std::size_t>(kBytes)]) {}

TextPool& TextPool::instance() {
  static TextPool* const pool = [] {
    try {
      return new TextPool;
    } catch (const std::bad_alloc&) {
      throw Error(sqlstate::kOutOfMemory,
                  "the text that TPC-H's comments are cut from needs 300 MB of memory, which are not free");
    }
  }();
  return *pool;
}

std::string_view TextPool::text(std::int64_t offset, std::int64_t length) {
  const auto piece_at = [](std::int64_t byte) {
    const std::int64_t piece = byte / kPieceBytes;
    return static_cast<std::size_t>(byte < kPlaces[piece].offset ? piece - 1 : piece);
  };
  const std::size_t first = piece_at(offset), last = piece_at(offset + length - 1);
  for (std::size_t piece = first; piece <= last; ++piece) {
    if (!ready_[piece].load(std::memory_order_acquire))
      std::call_once(made_[piece], [&] { make_piece(static_cast<int>(piece)); });
  }
  return {text_.get() + offset, static_cast<std::size_t>(length)};
}

// Made apart and copied: words are written in copies of fixed length, which would touch the next piece.
void TextPool::make_piece(int piece) {
  const TextPlace begin = kPlaces[piece];
  const std::int64_t end = piece + 1 < kPieces ? kPlaces[piece + 1].offset : kBytes;
  const auto bytes = static_cast<std::size_t>(end - begin.offset);
  const std::unique_ptr<char[]> scratch(new char[bytes + 2 * kLongestSentence]);
  RandomStream random(begin.state, 1);
  for (char* out = scratch.get(); out < scratch.get() + bytes;) out = grammar().append_sentence(random, out);
  std::memcpy(text_.get() + begin.offset, scratch.get(), bytes);
  ready_[static_cast<std::size_t>(piece)].store(true, std::memory_order_release);
}

TextPlace TextPool::place(int piece) {
  return kPlaces[piece];
}

std::array<TextPlace, TextPool::kPieces> TextPool::find_places() {
  std::array<TextPlace, kPieces> places{};
  char sentence[2 * kLongestSentence];
  RandomStream random(kSeed, 1);
  std::int64_t offset = 0;
  for (int piece = 0; piece < kPieces;) {
    if (offset >= piece * kPieceBytes)
      places[static_cast<std::size_t>(piece++)] = {static_cast<std::uint32_t>(offset), random.state()};
    offset += grammar().append_sentence(random, sentence) - sentence;
  }
  return places;
}

}  // namespace saccade::tpch
