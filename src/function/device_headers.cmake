file(GLOB scalar_headers RELATIVE ${CMAKE_SOURCE_DIR}/src CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/function/scalar/*.hpp)
saccade_embed(saccade_function function_device_headers function/function_error.hpp function/hash.hpp ${scalar_headers})
