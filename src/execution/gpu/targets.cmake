saccade_room(gpu RECURSE FOLDER execution/gpu DEPENDS execution LIBRARIES ${CMAKE_DL_LIBS})
file(GLOB gpu_device_files RELATIVE ${CMAKE_SOURCE_DIR}/src CONFIGURE_DEPENDS
     ${CMAKE_SOURCE_DIR}/src/execution/gpu/device/*.cuh ${CMAKE_SOURCE_DIR}/src/execution/gpu/primitives/*.cu)
saccade_embed(saccade_gpu gpu_device_files ${gpu_device_files} execution/gpu/shim/shim_api.hpp execution/gpu/shim/device_shim.hpp
              function/scalar/functions.inc)
