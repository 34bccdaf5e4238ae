saccade_room(cpu RECURSE FOLDER execution/cpu DEPENDS execution)
# AVX-512 has fused multiply-add: products would round otherwise than on other machines and on the GPU.
target_compile_options(saccade_cpu PRIVATE -ffp-contract=off)

# Built when asked, where Google Benchmark is installed: ninja bench_cpu. It takes the tests' way of writing plans.
find_package(benchmark QUIET)
if(benchmark_FOUND)
  add_executable(bench_cpu EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/bench/cpu/pipelines_bench.cpp)
  target_include_directories(bench_cpu PRIVATE ${CMAKE_SOURCE_DIR}/test)
  target_link_libraries(bench_cpu PRIVATE saccade_cpu benchmark::benchmark)
  set_target_properties(bench_cpu PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endif()
