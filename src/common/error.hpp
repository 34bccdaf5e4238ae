// The one exception type of Saccade and the checks that raise it.
//
// A fault that a user can cause carries its SQLSTATE, and where it is known the position in the statement's text.
// A fault that only a bug can cause carries XX000: it ends the query, never the process. Errors are immutable values and may
// be passed between threads.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace saccade {

// SQLSTATE codes in use (PostgreSQL's Appendix A).
namespace sqlstate {
inline constexpr std::string_view kFeatureNotSupported = "0A000";
inline constexpr std::string_view kCardinalityViolation = "21000";
inline constexpr std::string_view kStringDataRightTruncation = "22001";
inline constexpr std::string_view kNumericValueOutOfRange = "22003";
inline constexpr std::string_view kInvalidDatetimeFormat = "22007";
inline constexpr std::string_view kDatetimeFieldOverflow = "22008";
inline constexpr std::string_view kDivisionByZero = "22012";
inline constexpr std::string_view kCharacterNotInRepertoire = "22021";
inline constexpr std::string_view kInvalidParameterValue = "22023";
inline constexpr std::string_view kInvalidTextRepresentation = "22P02";
inline constexpr std::string_view kBadCopyFileFormat = "22P04";
inline constexpr std::string_view kInsufficientPrivilege = "42501";
inline constexpr std::string_view kSyntaxError = "42601";
inline constexpr std::string_view kUndefinedColumn = "42703";
inline constexpr std::string_view kAmbiguousColumn = "42702";
inline constexpr std::string_view kDuplicateColumn = "42701";
inline constexpr std::string_view kDuplicateAlias = "42712";
inline constexpr std::string_view kUndefinedTable = "42P01";
inline constexpr std::string_view kDuplicateTable = "42P07";
inline constexpr std::string_view kUndefinedFunction = "42883";
inline constexpr std::string_view kUndefinedObject = "42704";
inline constexpr std::string_view kDatatypeMismatch = "42804";
inline constexpr std::string_view kGroupingError = "42803";
inline constexpr std::string_view kInvalidColumnReference = "42P10";
inline constexpr std::string_view kWrongObjectType = "42809";
inline constexpr std::string_view kUndefinedParameter = "42P02";
inline constexpr std::string_view kIndeterminateDatatype = "42P18";
inline constexpr std::string_view kProtocolViolation = "08P01";
inline constexpr std::string_view kOutOfMemory = "53200";
inline constexpr std::string_view kDiskFull = "53100";
inline constexpr std::string_view kStatementTooComplex = "54001";
inline constexpr std::string_view kQueryCanceled = "57014";
inline constexpr std::string_view kConnectionFailure = "08006";
inline constexpr std::string_view kSystemError = "58000";
inline constexpr std::string_view kIoError = "58030";
inline constexpr std::string_view kNotNullViolation = "23502";
inline constexpr std::string_view kDependentObjects = "2BP01";
inline constexpr std::string_view kUndefinedFile = "58P01";
inline constexpr std::string_view kInternalError = "XX000";
inline constexpr std::string_view kDataCorrupted = "XX001";
}  // namespace sqlstate

class Error : public std::runtime_error {
 public:
  // `position`: 1-based, in characters of the statement's text; 0 where none is known.
  Error(std::string_view sqlstate, const std::string& message, int position = 0, std::string hint = {})
      : std::runtime_error(message), sqlstate_(sqlstate), position_(position), hint_(std::move(hint)) {}

  const std::string& sqlstate() const { return sqlstate_; }
  int position() const { return position_; }
  const std::string& hint() const { return hint_; }

 private:
  std::string sqlstate_;
  int position_;
  std::string hint_;
};

// Raises XX000 with the place of a broken invariant; used by SACCADE_CHECK.
[[noreturn]] void raise_internal(const char* condition, const char* file, int line);

}  // namespace saccade

// Ends the query (XX000) when an invariant that only a bug can break does not hold.
#define SACCADE_CHECK(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : ::saccade::raise_internal(#condition, __FILE__, __LINE__))
