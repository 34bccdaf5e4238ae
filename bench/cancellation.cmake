# Built when asked (scripts/build release cancellation).
add_executable(cancellation EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/bench/cancellation.cpp)
target_compile_definitions(cancellation PRIVATE SACCADE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
target_link_libraries(cancellation PRIVATE saccade_engine fmt::fmt Threads::Threads)
set_target_properties(cancellation PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
