#include "engine/rank_failure.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "common/error.hpp"
#include "execution/assumption.hpp"

namespace saccade {

namespace {

constexpr std::string_view kMark = "saccade-failure:";

nlohmann::json describe(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const AssumptionFailed& broken) {
    return {{"table", broken.table}, {"column", broken.column}};
  } catch (const Error& error) {
    return {{"sqlstate", error.sqlstate()}, {"message", error.what()}, {"hint", error.hint()}, {"position", error.position()}};
  } catch (const std::bad_alloc&) {
    return {{"sqlstate", sqlstate::kOutOfMemory}, {"message", "out of memory"}, {"hint", ""}, {"position", 0}};
  } catch (const std::exception& error) {
    return {{"sqlstate", sqlstate::kInternalError}, {"message", error.what()}, {"hint", ""}, {"position", 0}};
  }
}

// What another rank's abort carried; nothing where the error came from elsewhere.
std::optional<nlohmann::json> carried(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    const std::string message = error.what();
    const std::size_t at = message.find(kMark);
    if (at == std::string::npos) return std::nullopt;
    nlohmann::json parsed = nlohmann::json::parse(message.substr(at + kMark.size()), nullptr, false);
    if (parsed.is_discarded()) return std::nullopt;
    return parsed;
  } catch (...) {
    return std::nullopt;
  }
}

void raise_described(const nlohmann::json& described) {
  if (described.contains("table")) throw AssumptionFailed(described.at("table"), described.at("column"));
  throw Error(described.at("sqlstate").get<std::string>(), described.at("message").get<std::string>(),
              described.at("position").get<int>(), described.at("hint").get<std::string>());
}

}  // namespace

std::string encode_failure(const std::exception_ptr& failure, int rank) {
  nlohmann::json described = carried(failure).value_or(describe(failure));
  if (!described.contains("rank")) described["rank"] = rank;
  return std::string(kMark) + described.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void rethrow_failure(const std::vector<std::exception_ptr>& failures) {
  std::vector<nlohmann::json> described;
  for (const std::exception_ptr& failure : failures) {
    if (failure) described.push_back(carried(failure).value_or(describe(failure)));
  }
  for (const nlohmann::json& failure : described) {
    if (failure.contains("table")) raise_described(failure);
  }
  for (const nlohmann::json& failure : described) {
    if (failure.at("sqlstate") != std::string(sqlstate::kConnectionFailure)) raise_described(failure);
  }
  if (!described.empty()) raise_described(described.front());
}

}  // namespace saccade
