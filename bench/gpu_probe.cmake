# Built when asked (ninja gpu_probe). It needs nothing but the C and C++ libraries, so that it can be copied to a GPU machine:
# hence its own build of the few sources it takes, with fmt from its headers.
file(GLOB gpu_probe_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/cuda/*.cpp ${CMAKE_SOURCE_DIR}/src/exchange/nccl*.cpp)
list(APPEND gpu_probe_sources ${CMAKE_SOURCE_DIR}/src/common/error.cpp ${CMAKE_SOURCE_DIR}/src/exchange/in_process.cpp)
foreach(name cuda_runtime device_pool kernel_cache nvrtc_compiler pinned_staging)
  list(APPEND gpu_probe_sources ${CMAKE_SOURCE_DIR}/src/execution/gpu/${name}.cpp)
endforeach()
add_executable(gpu_probe EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/bench/gpu_probe.cpp ${gpu_probe_sources})
target_include_directories(gpu_probe PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(gpu_probe PRIVATE fmt::fmt-header-only Threads::Threads ${CMAKE_DL_LIBS})
target_link_options(gpu_probe PRIVATE -static-libstdc++ -static-libgcc)
set_target_properties(gpu_probe PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
