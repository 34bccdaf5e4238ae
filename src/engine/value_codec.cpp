#include "engine/value_codec.hpp"

#include <cstring>
#include <type_traits>
#include <utility>

#include "common/error.hpp"

namespace saccade {

namespace {

class Encoder {
 public:
  template <class T>
  void plain(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void text(const std::string& text) {
    plain(static_cast<std::uint64_t>(text.size()));
    bytes += text;
  }
  void value(const Value& value) {
    plain(value.type);
    plain(static_cast<std::uint8_t>(value.data.index()));
    std::visit(
        [this]<class T>(const T& data) {
          if constexpr (std::is_same_v<T, std::string>) {
            text(data);
          } else if constexpr (!std::is_same_v<T, std::monostate>) {
            plain(data);
          }
        },
        value.data);
  }

  std::string bytes;
};

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : left_(bytes) {}

  template <class T>
  T plain() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string text() { return std::string(take(plain<std::uint64_t>())); }
  Value value() {
    Value value;
    value.type = plain<DataType>();
    alternative(value, plain<std::uint8_t>(), std::make_index_sequence<std::variant_size_v<decltype(value.data)>>());
    return value;
  }

 private:
  std::string_view take(std::size_t count) {
    SACCADE_CHECK(count <= left_.size());
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }
  template <std::size_t... I>
  void alternative(Value& value, std::uint8_t index, std::index_sequence<I...>) {
    static_cast<void>(((index == I && (fill<I>(value), true)) || ...));
  }
  template <std::size_t I>
  void fill(Value& value) {
    using T = std::variant_alternative_t<I, decltype(value.data)>;
    if constexpr (std::is_same_v<T, std::string>) {
      value.data = text();
    } else if constexpr (std::is_same_v<T, std::monostate>) {
      value.data = std::monostate{};
    } else {
      value.data = plain<T>();
    }
  }

  std::string_view left_;
};

}  // namespace

std::string encode_definition(const TableDefinition& definition) {
  Encoder encoder;
  encoder.text(definition.name);
  encoder.plain(static_cast<std::uint64_t>(definition.columns.size()));
  for (const ColumnDefinition& column : definition.columns) {
    encoder.text(column.name);
    encoder.plain(column.type);
    encoder.plain(column.not_null);
    encoder.plain(column.default_value.has_value());
    if (column.default_value) encoder.value(*column.default_value);
  }
  return std::move(encoder.bytes);
}

TableDefinition decode_definition(std::string_view bytes) {
  Decoder decoder(bytes);
  TableDefinition definition{decoder.text(), {}};
  const auto columns = decoder.plain<std::uint64_t>();
  for (std::uint64_t i = 0; i < columns; ++i) {
    ColumnDefinition column{decoder.text(), decoder.plain<DataType>(), decoder.plain<bool>(), {}};
    if (decoder.plain<bool>()) column.default_value = decoder.value();
    definition.columns.push_back(std::move(column));
  }
  return definition;
}

std::string encode_view(const View& view) {
  Encoder encoder;
  encoder.text(view.name);
  encoder.text(view.sql);
  encoder.plain(static_cast<std::uint64_t>(view.columns.size()));
  for (const View::Column& column : view.columns) {
    encoder.text(column.name);
    encoder.plain(column.type);
  }
  encoder.plain(static_cast<std::uint64_t>(view.depends_on.size()));
  for (const std::string& name : view.depends_on) encoder.text(name);
  return std::move(encoder.bytes);
}

View decode_view(std::string_view bytes) {
  Decoder decoder(bytes);
  View view{decoder.text(), decoder.text(), {}, {}};
  for (auto left = decoder.plain<std::uint64_t>(); left > 0; --left)
    view.columns.push_back({decoder.text(), decoder.plain<DataType>()});
  for (auto left = decoder.plain<std::uint64_t>(); left > 0; --left) view.depends_on.push_back(decoder.text());
  return view;
}

std::string encode_rows(const ValueRows& rows) {
  Encoder encoder;
  encoder.plain(static_cast<std::uint64_t>(rows.size()));
  encoder.plain(static_cast<std::uint64_t>(rows.empty() ? 0 : rows.front().size()));
  for (const std::vector<Value>& row : rows) {
    for (const Value& value : row) encoder.value(value);
  }
  return std::move(encoder.bytes);
}

ValueRows decode_rows(std::string_view bytes) {
  Decoder decoder(bytes);
  ValueRows rows(decoder.plain<std::uint64_t>());
  const auto columns = decoder.plain<std::uint64_t>();
  for (std::vector<Value>& row : rows) {
    row.reserve(columns);
    for (std::uint64_t i = 0; i < columns; ++i) row.push_back(decoder.value());
  }
  return rows;
}

}  // namespace saccade
