# saccade_embed(target function files...): compiles the text of `files` (paths under src/) into `target` as
#   std::span<const EmbeddedFile> saccade::<function>();
# (function/embedded_file.hpp), each under the name it is included by. An edited file is embedded again by the next build.
function(saccade_embed target function)
  set(output ${CMAKE_BINARY_DIR}/embedded/${function}.cpp)
  set(sources ${ARGN})
  list(TRANSFORM sources PREPEND ${CMAKE_SOURCE_DIR}/src/)
  list(JOIN ARGN "," names)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DFUNCTION=${function} -DROOT=${CMAKE_SOURCE_DIR}/src -DNAMES=${names}
            -P ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
    DEPENDS ${sources} ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
