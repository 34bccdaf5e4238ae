#include "sql/binder/text_functions.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "common/error.hpp"
#include "function/text/registry.hpp"
#include "sql/binder/type_rules.hpp"

namespace saccade {

namespace {

constexpr DataType kText{TypeKind::kText};
constexpr DataType kInteger{TypeKind::kInteger};
constexpr DataType kBoolean{TypeKind::kBoolean};

// A signature of SQL and the function of the registry that computes it. `arguments`: t text, i integer, a letter an argument.
// `call`: where the function's arguments come from, a letter each: 1 to 6 an argument; or a constant: b a blank, e an empty
// text, o the integer 1, z 0, m -1.
struct Signature {
  std::string_view name;
  std::string_view arguments;
  std::string_view function;
  std::string_view call;
};

// Of several that fit, the first is taken: PostgreSQL prefers text for a constant without a type.
constexpr std::array kSignatures = {
    Signature{"length", "t", "length", "1"},
    Signature{"char_length", "t", "length", "1"},
    Signature{"character_length", "t", "length", "1"},
    Signature{"octet_length", "t", "octet_length", "1"},
    Signature{"bit_length", "t", "bit_length", "1"},
    Signature{"substring", "tt", "substring_regex", "12"},
    Signature{"substring", "ti", "substring_from", "12"},
    Signature{"substring", "tii", "substring_from_for", "123"},
    Signature{"substr", "ti", "substring_from", "12"},
    Signature{"substr", "tii", "substring_from_for", "123"},
    Signature{"left", "ti", "left", "12"},
    Signature{"right", "ti", "right", "12"},
    Signature{"lower", "t", "lower", "1"},
    Signature{"upper", "t", "upper", "1"},
    Signature{"initcap", "t", "initcap", "1"},
    Signature{"btrim", "t", "btrim", "1b"},
    Signature{"btrim", "tt", "btrim", "12"},
    Signature{"ltrim", "t", "ltrim", "1b"},
    Signature{"ltrim", "tt", "ltrim", "12"},
    Signature{"rtrim", "t", "rtrim", "1b"},
    Signature{"rtrim", "tt", "rtrim", "12"},
    Signature{"lpad", "ti", "lpad", "12b"},
    Signature{"lpad", "tit", "lpad", "123"},
    Signature{"rpad", "ti", "rpad", "12b"},
    Signature{"rpad", "tit", "rpad", "123"},
    Signature{"repeat", "ti", "repeat", "12"},
    Signature{"replace", "ttt", "replace", "123"},
    Signature{"reverse", "t", "reverse", "1"},
    Signature{"strpos", "tt", "position", "12"},
    Signature{"position", "tt", "position", "12"},
    Signature{"split_part", "tti", "split_part", "123"},
    Signature{"starts_with", "tt", "starts_with", "12"},
    Signature{"translate", "ttt", "translate", "123"},
    Signature{"overlay", "ttii", "overlay", "1234"},
    Signature{"ascii", "t", "ascii", "1"},
    Signature{"chr", "i", "chr", "1"},
    Signature{"md5", "t", "md5", "1"},
    Signature{"quote_literal", "t", "quote_literal", "1"},
    Signature{"like_escape", "tt", "like_escape", "12"},
    Signature{"regexp_like", "tt", "regexp_like", "12e"},
    Signature{"regexp_like", "ttt", "regexp_like", "123"},
    Signature{"regexp_count", "tt", "regexp_count", "12oe"},
    Signature{"regexp_count", "tti", "regexp_count", "123e"},
    Signature{"regexp_count", "ttit", "regexp_count", "1234"},
    Signature{"regexp_substr", "tt", "regexp_substr", "12ooez"},
    Signature{"regexp_substr", "tti", "regexp_substr", "123oez"},
    Signature{"regexp_substr", "ttii", "regexp_substr", "1234ez"},
    Signature{"regexp_substr", "ttiit", "regexp_substr", "12345z"},
    Signature{"regexp_substr", "ttiiti", "regexp_substr", "123456"},
    Signature{"regexp_instr", "tt", "regexp_instr", "12oozez"},
    Signature{"regexp_instr", "tti", "regexp_instr", "123ozez"},
    Signature{"regexp_instr", "ttii", "regexp_instr", "1234zez"},
    Signature{"regexp_instr", "ttiii", "regexp_instr", "12345ez"},
    Signature{"regexp_instr", "ttiiit", "regexp_instr", "123456z"},
    Signature{"regexp_instr", "ttiiiti", "regexp_instr", "1234567"},
    Signature{"regexp_replace", "ttt", "regexp_replace", "123ome"},
    Signature{"regexp_replace", "tttt", "regexp_replace", "123om4"},
    Signature{"regexp_replace", "ttti", "regexp_replace", "1234oe"},
    Signature{"regexp_replace", "tttii", "regexp_replace", "12345e"},
    Signature{"regexp_replace", "tttiit", "regexp_replace", "123456"},
};

bool fits(const Expression& argument, char letter) {
  if (is_unknown_literal(argument)) return true;
  if (letter == 't') return argument.type.is_text();
  return argument.type.kind == TypeKind::kInteger || argument.type.kind == TypeKind::kSmallint;
}

bool fits(const Signature& signature, std::string_view name, const std::vector<Expression>& arguments) {
  if (signature.name != name || signature.arguments.size() != arguments.size()) return false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!fits(arguments[i], signature.arguments[i])) return false;
  }
  return true;
}

DataType result_type(const TextFunction& function) {
  return function.result == Lane::kText ? kText : function.result == Lane::kBoolean ? kBoolean : kInteger;
}

Expression function_expression(std::string_view function, std::vector<Expression> arguments, int position) {
  const TextFunction& described = text_function(find_text_function(function));
  Expression result = call_expression(Operation::kTextFunction, result_type(described), std::move(arguments));
  result.name = function;
  result.position = position;
  return result;
}

Expression integer(std::int64_t value) {
  return literal_expression({kInteger, int128{value}});
}

Expression constant(char letter) {
  switch (letter) {
    case 'b':
      return literal_expression({kText, std::string(" ")});
    case 'e':
      return literal_expression({kText, std::string()});
    case 'o':
      return integer(1);
    case 'z':
      return integer(0);
    default:
      return integer(-1);
  }
}

Expression signature_call(const Signature& signature, std::vector<Expression> arguments, int position) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    arguments[i] = coerce(std::move(arguments[i]), signature.arguments[i] == 't' ? kText : kInteger);
  std::vector<Expression> given;
  for (const char letter : signature.call) {
    const bool argument = letter >= '1' && letter <= '9';
    given.push_back(argument ? arguments[static_cast<std::size_t>(letter - '1')] : constant(letter));
  }
  return function_expression(signature.function, std::move(given), position);
}

// As concat shows a value: booleans as t and f, others as a cast to text does.
// A char with its blanks.
Expression shown(Expression value) {
  const bool boolean = value.type.kind == TypeKind::kBoolean;
  const int position = value.position;
  const std::int32_t blanks = value.type.kind == TypeKind::kChar ? value.type.length : 0;
  value = cast_explicitly(std::move(value), kText, position);
  if (blanks > 0)
    return function_expression("rpad", {std::move(value), integer(blanks), literal_expression({kText, std::string(" ")})},
                               position);
  if (!boolean) return value;
  std::vector<Expression> first_letter;
  first_letter.push_back(std::move(value));
  first_letter.push_back(integer(1));
  return function_expression("left", std::move(first_letter), position);
}

std::optional<Expression> variadic_call(std::string_view name, std::vector<Expression>& arguments, int position) {
  if ((name == "concat" && !arguments.empty()) || (name == "concat_ws" && arguments.size() >= 2)) {
    if (name == "concat_ws" && !fits(arguments.front(), 't')) return std::nullopt;
    for (Expression& argument : arguments) argument = shown(std::move(argument));
    return function_expression(name, std::move(arguments), position);
  }
  return std::nullopt;
}

// substring(x SIMILAR pattern ESCAPE character), which the grammar gives as a call with three texts.
bool is_sql_expression(std::string_view name, const std::vector<Expression>& arguments) {
  if (name != "substring" || arguments.size() != 3) return false;
  const Expression& third = arguments[2];
  if (third.type.is_text()) return true;
  const auto* text = std::get_if<std::string>(&third.literal.data);
  return is_unknown_literal(third) && text != nullptr && text->find_first_not_of("0123456789 +-") != std::string::npos;
}

std::optional<Expression> special_call(std::string_view name, std::vector<Expression>& arguments, int position) {
  if (name == "to_hex" && arguments.size() == 1 && arguments[0].type.is_integer()) {
    const bool wide = arguments[0].type.kind == TypeKind::kBigint;
    arguments[0] = coerce(std::move(arguments[0]), wide ? DataType{TypeKind::kBigint} : kInteger);
    arguments.push_back(integer(wide ? 8 : 4));
    return function_expression("to_hex", std::move(arguments), position);
  }
  const bool placed = name == "overlay" && arguments.size() == 3;
  if (placed && fits(arguments[0], 't') && fits(arguments[1], 't') && fits(arguments[2], 'i')) {
    arguments[0] = coerce(std::move(arguments[0]), kText);
    arguments[1] = coerce(std::move(arguments[1]), kText);
    arguments[2] = coerce(std::move(arguments[2]), kInteger);
    arguments.push_back(function_expression("length", {arguments[1]}, position));
    return function_expression("overlay", std::move(arguments), position);
  }
  if (name == "quote_literal" && arguments.size() == 1 && !arguments[0].type.is_text() && !is_unknown_literal(arguments[0])) {
    arguments[0] = cast_explicitly(std::move(arguments[0]), kText, position);
    return function_expression("quote_literal", std::move(arguments), position);
  }
  return variadic_call(name, arguments, position);
}

}  // namespace

std::optional<Expression> text_function_call(std::string_view name, std::vector<Expression> arguments, int position) {
  if (is_sql_expression(name, arguments)) {
    throw Error(sqlstate::kFeatureNotSupported, "SQL regular expressions (SIMILAR) are not supported", position,
                "Use a POSIX regular expression: substring(x FROM pattern), x ~ pattern.");
  }
  for (const Signature& signature : kSignatures) {
    if (is_sql_expression(name, arguments)) {
      throw Error(sqlstate::kFeatureNotSupported, "SQL regular expressions (SIMILAR) are not supported", position,
                  "Use a POSIX regular expression: substring(x FROM pattern), x ~ pattern.");
    }
    if (fits(signature, name, arguments)) return signature_call(signature, std::move(arguments), position);
  }
  return special_call(name, arguments, position);
}

bool is_text_function(std::string_view name) {
  return std::any_of(kSignatures.begin(), kSignatures.end(), [&](const Signature& s) { return s.name == name; }) ||
         name == "concat" || name == "concat_ws" || name == "to_hex";
}

std::optional<Expression> text_concatenation(Expression left, Expression right, int position) {
  const auto is_text = [](const Expression& side) { return side.type.is_text() || is_unknown_literal(side); };
  if (!is_text(left) && !is_text(right)) return std::nullopt;
  std::vector<Expression> parts;
  for (Expression* side : {&left, &right}) {
    Expression part = cast_explicitly(std::move(*side), kText, position);
    const bool chain = part.operation == Operation::kTextFunction && part.name == "text_append";
    if (chain && side == &left) {
      parts = std::move(part.arguments);
    } else {
      parts.push_back(std::move(part));
    }
  }
  return function_expression("text_append", std::move(parts), position);
}

std::optional<Expression> text_match(std::string_view symbol, Expression left, Expression right, int position) {
  const bool negated = symbol.starts_with('!');
  const bool ignore_case = symbol.ends_with('*');
  const std::string_view bare = symbol.substr(negated ? 1 : 0, symbol.size() - (negated ? 1 : 0) - (ignore_case ? 1 : 0));
  if (bare != "~" || !fits(left, 't') || !fits(right, 't')) return std::nullopt;
  std::vector<Expression> arguments;
  arguments.push_back(coerce(std::move(left), kText));
  arguments.push_back(coerce(std::move(right), kText));
  arguments.push_back(literal_expression({kText, std::string(ignore_case ? "i" : "")}));
  Expression match = function_expression("regexp_like", std::move(arguments), position);
  if (!negated) return match;
  Expression result = call_expression(Operation::kNot, kBoolean, {std::move(match)});
  result.position = position;
  return result;
}

}  // namespace saccade
