# The shell without its entry, so that its tests can run it on a session of their own.
find_library(SACCADE_LIBEDIT edit REQUIRED)
find_package(CLI11 REQUIRED)
file(GLOB shell_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/interfaces/shell/*.cpp)
list(FILTER shell_sources EXCLUDE REGEX "/main\\.cpp$")
add_library(saccade_shell STATIC ${shell_sources})
target_include_directories(saccade_shell PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
target_compile_definitions(saccade_shell PUBLIC SACCADE_VERSION="${PROJECT_VERSION}")
target_link_libraries(saccade_shell PUBLIC fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11 ${SACCADE_LIBEDIT} Threads::Threads)
