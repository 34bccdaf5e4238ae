#include "engine/command.hpp"

#include <nlohmann/json.hpp>

#include "common/error.hpp"

namespace saccade {

namespace {

void broadcast_text(std::string& text, Communicator& communicator) {
  auto size = static_cast<std::int64_t>(text.size());
  communicator.broadcast(reinterpret_cast<std::byte*>(&size), sizeof(size), 0);
  text.resize(static_cast<std::size_t>(size));
  if (size > 0) communicator.broadcast(reinterpret_cast<std::byte*>(text.data()), size, 0);
}

}  // namespace

void send_command(const Command& command, Communicator& communicator) {
  nlohmann::json settings;
  for (const std::string& name : setting_names()) settings[name] = show_setting(command.settings, name);
  std::string text =
      nlohmann::json{{"kind", command.kind},       {"plan", command.plan},     {"mode", command.mode}, {"name", command.name},
                     {"columns", command.columns}, {"serial", command.serial}, {"settings", settings}}
          .dump();
  broadcast_text(text, communicator);
  std::string payload = command.payload;
  broadcast_text(payload, communicator);
}

Command receive_command(Communicator& communicator) {
  std::string text, payload;
  broadcast_text(text, communicator);
  broadcast_text(payload, communicator);
  try {
    const nlohmann::json parsed = nlohmann::json::parse(text);
    Command command;
    parsed.at("kind").get_to(command.kind);
    parsed.at("plan").get_to(command.plan);
    parsed.at("mode").get_to(command.mode);
    parsed.at("name").get_to(command.name);
    parsed.at("columns").get_to(command.columns);
    parsed.at("serial").get_to(command.serial);
    command.payload = std::move(payload);
    for (const auto& [name, value] : parsed.at("settings").items())
      set_setting(command.settings, name, value.get<std::string>());
    return command;
  } catch (const nlohmann::json::exception& error) {
    throw Error(sqlstate::kInternalError, std::string("a command from rank 0 can't be read: ") + error.what());
  }
}

}  // namespace saccade
