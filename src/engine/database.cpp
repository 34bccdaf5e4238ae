#include <charconv>
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

}  // namespace

std::unique_ptr<Database> Database::open(const std::vector<std::pair<std::string, std::string>>& options) {
  try {
    Settings settings;
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
