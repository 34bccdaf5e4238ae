saccade_room(gpu RECURSE FOLDER execution/gpu DEPENDS execution LIBRARIES ${CMAKE_DL_LIBS})
file(GLOB gpu_device_files RELATIVE ${CMAKE_SOURCE_DIR}/src CONFIGURE_DEPENDS
     ${CMAKE_SOURCE_DIR}/src/execution/gpu/device/*.cuh ${CMAKE_SOURCE_DIR}/src/execution/gpu/primitives/*.cu)
saccade_embed(saccade_gpu gpu_device_files ${gpu_device_files} execution/gpu/shim/shim_api.hpp execution/gpu/shim/device_shim.hpp
              function/scalar/functions.inc)

# Built when asked (ninja gpu_pipelines).
add_executable(gpu_pipelines EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/bench/gpu_pipelines.cpp)
target_include_directories(gpu_pipelines PRIVATE ${CMAKE_SOURCE_DIR}/test)
target_link_libraries(gpu_pipelines PRIVATE saccade_gpu)
set_target_properties(gpu_pipelines PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
