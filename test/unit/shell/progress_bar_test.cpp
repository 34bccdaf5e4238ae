#include "interfaces/shell/progress_bar.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "unit/shell/fake_session.hpp"

namespace saccade::shell {
namespace {

TEST(ProgressLine, ShowsWhatIsKnown) {
  EXPECT_EQ(progress_line({true, 3.44, 0.42, 4.7, 12'345'678}, 80),
            "[============>                 ]  42 %  3.4 s, about 4.7 s left, 12 M rows");
  EXPECT_EQ(progress_line({true, 75, 0, -1, 0}, 80), "[>                             ]   0 %  1 min 15 s");
  EXPECT_EQ(progress_line({true, 3700, 1, 0, 4321}, 200),
            "[==============================] 100 %  1 h 1 min, about 0.0 s left, 4321 rows");
  EXPECT_EQ(progress_line({true, 1.5, -1, -1, 20'000}, 80), "1.5 s, 20 k rows");
  EXPECT_EQ(progress_line({true, 1.5, 0.0001, 15'000, 0}, 80), "[>                             ]   0 %  1.5 s");
}

TEST(ProgressLine, LeavesOutWhatHasNoRoom) {
  const Progress progress{true, 3.44, 0.42, 4.7, 12'345'678};
  EXPECT_EQ(progress_line(progress, 41), "[==>  ]  42 %  3.4 s, about 4.7 s left");
  EXPECT_EQ(progress_line(progress, 34), "[==>  ]  42 %  3.4 s, 12 M rows");
}

TEST(ProgressLine, IsNarrowerThanTheTerminal) {
  const Progress progress{true, 100'000, 0.999, 100'000, 123'456'789'012};
  for (int columns = 0; columns < 100; ++columns) {
    EXPECT_LE(static_cast<int>(progress_line(progress, columns).size()), std::max(0, columns - 1)) << columns;
  }
}

class RunningSession : public FakeSession {
 public:
  Progress progress() const noexcept override { return {true, 2, 0.5, 2, 7}; }
};

TEST(ProgressBarTest, IsClearedAtTheEnd) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const RunningSession session;
  const std::string line = "\r" + progress_line(session.progress(), 80);
  std::string seen(line.size(), '\0');
  {
    const ProgressBar bar(session, ends[1], std::chrono::milliseconds(0));
    ASSERT_EQ(read(ends[0], seen.data(), seen.size()), static_cast<ssize_t>(seen.size()));  // waits for the first drawing
  }
  EXPECT_EQ(seen, line);
  close(ends[1]);
  std::string rest;
  char c = 0;
  while (read(ends[0], &c, 1) == 1) rest += c;
  EXPECT_TRUE(rest.ends_with("\r" + std::string(line.size() - 1, ' ') + "\r")) << rest;
  close(ends[0]);
}

TEST(ProgressBarTest, DrawsNothingForAShortStatement) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const RunningSession session;
  { const ProgressBar bar(session, ends[1], std::chrono::hours(1)); }
  close(ends[1]);
  char c = 0;
  EXPECT_EQ(read(ends[0], &c, 1), 0);
  close(ends[0]);
}

}  // namespace
}  // namespace saccade::shell
