#include "storage/parquet/code_column.hpp"

#include <algorithm>

#include "storage/parallel.hpp"
#include "storage/parquet/string_merge.hpp"
#include "storage/parquet/text_pages.hpp"

namespace saccade {
namespace {

constexpr std::size_t kBlock = 64;  // row groups that one thread reads the dictionary pages of into one set of strings

// Codes become numbers of `strings` first.
void read_block(std::span<const TextPart> parts, std::span<CodeColumn::Group> groups, StringInterner& strings,
                MemoryPool& pool) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const TextPart& part = parts[i];
    try {
      PageStream pages = PageStream::of_dictionary(*part.file, *part.column, part.row_group, part.where, pool);
      groups[i].codes = read_dictionary_page(pages, part, strings);
    } catch (...) {
      raise_arrow_error(part.where);
    }
  }
}

void translate(CodeColumn::Group& group, const std::vector<std::uint32_t>& code_of) {
  for (std::uint32_t& code : group.codes) code = code_of[code];
  if (group.codes.empty()) return;
  const auto [low, high] = std::minmax_element(group.codes.begin(), group.codes.end());
  group.bounds = Bounds{*low, *high};
}

}  // namespace

CodeColumn read_dictionaries(const std::vector<TextPart>& parts, int threads, MemoryPool& kept, MemoryPool& pool) {
  CodeColumn result;
  result.groups.resize(parts.size());
  const std::size_t blocks = (parts.size() + kBlock - 1) / kBlock;
  std::vector<std::unique_ptr<StringInterner>> strings(blocks);
  const auto size_of = [&](std::size_t block) { return std::min(kBlock, parts.size() - block * kBlock); };
  parallel_for(static_cast<std::int64_t>(blocks), threads, [&](std::int64_t number) {
    const auto block = static_cast<std::size_t>(number);
    strings[block] = std::make_unique<StringInterner>(pool);
    read_block(std::span(parts).subspan(block * kBlock, size_of(block)),
               std::span(result.groups).subspan(block * kBlock, size_of(block)), *strings[block], pool);
  });
  std::vector<const StringInterner*> views;
  for (const std::unique_ptr<StringInterner>& block : strings) views.push_back(block.get());
  const MergedStrings merged = merge_strings(views, threads, pool);
  std::size_t codes = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    translate(result.groups[i], merged.code_of[i / kBlock]);
    codes += result.groups[i].codes.size();
  }
  result.dictionary = std::make_shared<const Dictionary>(std::span<const std::string_view>(merged.sorted));
  result.memory = Reservation(kept, result.dictionary->bytes() + static_cast<std::int64_t>(codes * sizeof(std::uint32_t)));
  return result;
}

}  // namespace saccade
