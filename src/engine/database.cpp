#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <saccade/saccade.hpp>
#include <utility>

#include "engine/core.hpp"
#include "engine/execute.hpp"
#include "engine/session.hpp"

namespace saccade {

namespace {

class DatabaseImplementation : public Database {
 public:
  explicit DatabaseImplementation(std::shared_ptr<Core> core) : core_(std::move(core)) {}

  RankInfo rank_info() const override {
    const Communicator& communicator = core_->executors.front()->communicator();
    return core_->distributed() ? RankInfo{communicator.rank(), communicator.size()} : RankInfo{};
  }
  std::unique_ptr<Session> connect() override { return std::make_unique<SessionImplementation>(core_); }
  int serve() override { return serve_commands(*core_); }

 private:
  std::shared_ptr<Core> core_;
};

int parse_ranks(const std::string& text) {
  int ranks = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ranks);
  if (error != std::errc() || end != text.data() + text.size() || ranks < 1 || ranks > 256)
    throw Error(sqlstate::kInvalidParameterValue, "invalid value for parameter \"ranks\": \"" + text + "\"", 0,
                "Give a number from 1 to 256.");
  return ranks;
}

// What the environment says: SACCADE_THREADS, SACCADE_MEMORY_LIMIT and so on. An empty variable counts as none.
void set_from_environment(Settings& settings) {
  for (const std::string& name : setting_names()) {
    std::string variable = "SACCADE_" + name;
    std::transform(variable.begin(), variable.end(), variable.begin(), [](unsigned char c) { return std::toupper(c); });
    const char* value = std::getenv(variable.c_str());
    if (value == nullptr || *value == '\0') continue;
    try {
      set_setting(settings, name, value);
    } catch (const Error& error) {
      throw Error(error.sqlstate(), std::string(error.what()) + " (from the environment: " + variable + ")", 0, error.hint());
    }
  }
}

}  // namespace

std::unique_ptr<Database> Database::open(const std::vector<std::pair<std::string, std::string>>& options) {
  try {
    Settings settings;
    set_from_environment(settings);
    int ranks = 1;
    for (const auto& [name, value] : options) {
      if (name == "ranks") {
        ranks = parse_ranks(value);
      } else {
        set_setting(settings, name, value);
      }
    }
    return std::make_unique<DatabaseImplementation>(std::make_shared<Core>(settings, ranks));
  } catch (const Error& error) {
    throw QueryError(error.sqlstate(), error.what(), error.position(), error.hint());
  }
}

}  // namespace saccade
