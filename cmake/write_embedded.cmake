# Writes the source that saccade_embed() compiles: OUTPUT, FUNCTION, ROOT, NAMES (comma-separated, relative to ROOT).
string(REPLACE "," ";" names "${NAMES}")
set(entries "")
foreach(name ${names})
  file(READ ${ROOT}/${name} text)
  string(APPEND entries "    {\"${name}\", R\"saccade_file(${text})saccade_file\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/write_embedded.cmake.
#include \"function/embedded_file.hpp\"

namespace saccade {

std::span<const EmbeddedFile> ${FUNCTION}();

std::span<const EmbeddedFile> ${FUNCTION}() {
  static constexpr EmbeddedFile kFiles[] = {
${entries}  };
  return kFiles;
}

}  // namespace saccade
")
