// The shell's entry.
#include <cstdio>

#include "saccade/saccade.hpp"

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const auto database = saccade::Database::open();
  const auto session = database->connect();
  const auto result = session->execute(argv[1]);
  for (std::int64_t row = 0; row < result->rows(); ++row) {
    for (std::size_t column = 0; column < result->fields().size(); ++column) {
      std::printf("%s\t", result->text(row, static_cast<int>(column)).c_str());
    }
    std::printf("\n");
  }
}
