#include "cuda/shared_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "common/error.hpp"

namespace saccade::cuda {

namespace {

namespace fs = std::filesystem;

constexpr const char* kToolkitFolder = "/usr/local/cuda/lib64";

std::vector<fs::path> subfolders(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (std::error_code ignored; entry->is_directory(ignored)) found.push_back(entry->path());
  }
  return found;
}

// The nvidia/*/lib folders of a Python environment.
std::vector<fs::path> python_package_folders(const fs::path& environment) {
  std::vector<fs::path> folders;
  for (const fs::path& version : subfolders(environment / "lib")) {
    for (const fs::path& package : subfolders(version / "site-packages" / "nvidia")) folders.push_back(package / "lib");
  }
  return folders;
}

std::vector<std::string> candidates_in(const fs::path& place, const std::vector<std::string>& names) {
  std::error_code ignored;
  if (!fs::is_directory(place, ignored)) return {place.string()};
  std::vector<fs::path> folders = python_package_folders(place);
  folders.insert(folders.begin(), place);
  std::vector<std::string> paths;
  for (const fs::path& folder : folders) {
    for (const std::string& name : names) {
      if (fs::exists(folder / name, ignored)) paths.push_back((folder / name).string());
    }
  }
  return paths;
}

}  // namespace

std::optional<SharedLibrary> SharedLibrary::find(const LibrarySearch& search, std::string& reason) {
  const char* place = search.variable.empty() ? nullptr : std::getenv(search.variable.c_str());
  std::vector<std::string> paths;
  if (place != nullptr && *place != '\0') {
    paths = candidates_in(place, search.names);
    reason = fmt::format("{}={} names no {} library", search.variable, place, search.product);
  } else {
    paths = search.names;
    for (const std::string& name : search.names) paths.push_back(fmt::format("{}/{}", kToolkitFolder, name));
    reason = fmt::format("{} was not found by the loader or in {}", search.names.front(), kToolkitFolder);
  }
  for (const std::string& path : paths) {
    if (void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return SharedLibrary(handle, path);
    // A file that is there but can't be loaded says more than one that is missing.
    const char* message = dlerror();
    if (std::error_code ignored; fs::exists(path, ignored) && message != nullptr) reason = message;
  }
  return std::nullopt;
}

void* SharedLibrary::symbol(const char* name) const {
  void* address = dlsym(handle_, name);
  if (address == nullptr) {
    throw Error(sqlstate::kSystemError, fmt::format("{} has no function {}", path_, name), 0, "Install a newer version of it.");
  }
  return address;
}

}  // namespace saccade::cuda
