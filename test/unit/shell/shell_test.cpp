#include "interfaces/shell/shell.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "interfaces/shell/interrupt.hpp"
#include "unit/shell/fake_session.hpp"

namespace saccade::shell {
namespace {

using Statements = std::vector<std::string>;

class ShellTest : public testing::Test {
 protected:
  ShellTest() {
    session.answer("SELECT 1/0;",
                   []() -> std::unique_ptr<QueryResult> { throw QueryError("22012", "division by zero", 0, ""); });
    session.answer("SELECT x;", []() -> std::unique_ptr<QueryResult> {
      throw QueryError("42703", "column \"x\" does not exist", 8, "There is none.");
    });
    options.format = Format::kCsv;
  }

  int run(const std::string& input) {
    std::istringstream stream(input);
    Output out(output_file.file());
    return Shell(session, options, out, errors_file.file()).run(stream, false);
  }
  std::string output() { return output_file.text(); }
  std::string errors() { return errors_file.text(); }

  FakeSession session;
  Options options;
  Capture output_file, errors_file;
};

TEST_F(ShellTest, RunsStandardInputStatementByStatement) {
  EXPECT_EQ(run("SELECT 1; SELECT\n 2;\n-- done\nSELECT 3"), 0);
  EXPECT_EQ(session.executed, (Statements{"SELECT 1;", "SELECT\n 2;", "SELECT 3"}));
  EXPECT_EQ(output(), "sql\nSELECT 1;\nsql\n\"SELECT\n 2;\"\nsql\nSELECT 3\n");
  EXPECT_EQ(errors(), "");
}

TEST_F(ShellTest, NothingToDoSucceeds) {
  EXPECT_EQ(run(" \n;; -- nothing\n"), 0);
  EXPECT_EQ(session.executed, Statements{});
}

TEST_F(ShellTest, StandardInputGoesOnAfterAnErrorAndEndsWithOne) {
  EXPECT_EQ(run("SELECT 1/0; SELECT 1;\nSELECT x;\nSELECT 2;"), 1);
  EXPECT_EQ(session.executed, (Statements{"SELECT 1/0;", "SELECT 1;", "SELECT x;", "SELECT 2;"}));
  EXPECT_EQ(errors(),
            "ERROR:  22012: division by zero\n"
            "ERROR:  42703: column \"x\" does not exist\nLINE 1: SELECT x;\n               ^\nHINT:  There is none.\n");
}

TEST_F(ShellTest, CommandsEndAtTheFirstError) {
  options.sources = {{false, "SELECT 1; SELECT 1/0; SELECT 2;"}, {false, "SELECT 3"}};
  EXPECT_EQ(run(""), 1);
  EXPECT_EQ(session.executed, (Statements{"SELECT 1;", "SELECT 1/0;"}));
}

TEST_F(ShellTest, RunsCommandsAndFilesInTheirOrder) {
  const auto path = std::filesystem::temp_directory_path() / ("saccade_shell_test_" + std::to_string(getpid()) + ".sql");
  std::ofstream(path) << "SELECT 'a\n;b';\nSELECT 2";
  options.sources = {{false, "SELECT 1"}, {true, path.string()}, {true, "-"}};
  EXPECT_EQ(run("SELECT 3;"), 0);
  EXPECT_EQ(session.executed, (Statements{"SELECT 1", "SELECT 'a\n;b';", "SELECT 2", "SELECT 3;"}));
  std::filesystem::remove(path);
}

TEST_F(ShellTest, AFileThatCannotBeReadIsAnError) {
  options.sources = {{true, "/nowhere/x.sql"}, {false, "SELECT 1"}};
  EXPECT_EQ(run(""), 1);
  options.sources = {{true, "/tmp"}};
  EXPECT_EQ(run(""), 1);
  EXPECT_EQ(session.executed, Statements{});
  EXPECT_EQ(errors(),
            "ERROR:  58P01: could not read \"/nowhere/x.sql\": No such file or directory\n"
            "ERROR:  58P01: could not read \"/tmp\": Is a directory\n");
}

TEST_F(ShellTest, ShowsTimesOnStandardError) {
  options.timing = true;
  EXPECT_EQ(run("SELECT 1;\n\\timing\nSELECT 2;"), 0);
  EXPECT_TRUE(std::regex_match(errors(), std::regex("Time: [0-9]+\\.[0-9]{3} ms\n"))) << errors();
  EXPECT_NE(output().find("Timing is off.\n"), std::string::npos);
}

TEST_F(ShellTest, BackslashCommandsQuitAndReportMistakes) {
  EXPECT_EQ(run("\\foo\n\\?\nSELECT 1;\n\\q\nSELECT 2;"), 1);
  EXPECT_EQ(session.executed, (Statements{"SELECT 1;"}));
  EXPECT_EQ(errors(), "ERROR:  42601: invalid command \\foo\nHINT:  Try \\? for help.\n");
  EXPECT_NE(output().find("\\timing"), std::string::npos);
}

TEST_F(ShellTest, EchoesFailedStatements) {
  options.echo_errors = true;
  EXPECT_EQ(run("SELECT 1/0;"), 1);
  EXPECT_EQ(errors(), "ERROR:  22012: division by zero\nSTATEMENT:  SELECT 1/0;\n");
}

TEST_F(ShellTest, OtherExceptionsAreErrorsToo) {
  session.answer("A;", []() -> std::unique_ptr<QueryResult> { throw std::bad_alloc(); });
  session.answer("B;", []() -> std::unique_ptr<QueryResult> { throw std::runtime_error("odd"); });
  EXPECT_EQ(run("A;\nB;\nSELECT 1;"), 1);
  EXPECT_EQ(session.executed.size(), 3u);
  EXPECT_TRUE(errors().starts_with("ERROR:  53200: out of memory\n")) << errors();
  EXPECT_TRUE(errors().ends_with("ERROR:  XX000: odd\n")) << errors();
}

TEST_F(ShellTest, AnOutputThatCannotBeWrittenEndsTheShell) {
  std::FILE* full = std::fopen("/dev/full", "w");
  Output out(full);
  std::istringstream input("SELECT 1; SELECT 2;");
  EXPECT_THROW(Shell(session, options, out, errors_file.file()).run(input, false), OutputError);
  EXPECT_EQ(session.executed, (Statements{"SELECT 1;"}));
  std::fclose(full);
}

TEST_F(ShellTest, CtrlCCancelsTheStatementAndEndsTheScript) {
  catch_signals();
  session.answer("SLOW;", [this]() -> std::unique_ptr<QueryResult> {
    std::raise(SIGINT);
    if (!session.cancelled) return nullptr;
    throw QueryError("57014", "canceling statement due to user request", 0, "");
  });
  EXPECT_EQ(run("SELECT 1;\nSLOW; SELECT 2;\nSELECT 3;"), 1);
  EXPECT_EQ(session.executed, (Statements{"SELECT 1;", "SLOW;"}));
  EXPECT_EQ(errors(), "ERROR:  57014: canceling statement due to user request\n");
  EXPECT_EXIT(std::raise(SIGINT), testing::KilledBySignal(SIGINT), "");  // no statement runs: the process ends
}

TEST(OptionsTest, ReadsTheCommandLine) {
  const char* argv[] = {"saccade", "-c",       "SELECT 1", "-f",        "a.sql", "-c",       "-- two",   "--format",
                        "json",    "--ranks",  "2",        "--threads", "4",     "--device", "gpu-shim", "--memory-limit",
                        "1GB",     "--timing", "-b"};
  const ParsedOptions parsed = parse_options(static_cast<int>(std::size(argv)), argv);
  ASSERT_TRUE(parsed.options);
  const Options& options = *parsed.options;
  ASSERT_EQ(options.sources.size(), 3u);
  EXPECT_EQ(options.sources[0].text, "SELECT 1");
  EXPECT_TRUE(options.sources[1].is_file);
  EXPECT_EQ(options.sources[1].text, "a.sql");
  EXPECT_EQ(options.sources[2].text, "-- two");
  EXPECT_EQ(options.format, Format::kJson);
  EXPECT_TRUE(options.timing && options.echo_errors);
  const std::vector<std::pair<std::string, std::string>> settings{
      {"threads", "4"}, {"ranks", "2"}, {"device", "gpu-shim"}, {"memory_limit", "1GB"}};
  EXPECT_EQ(options.settings, settings);
}

TEST(OptionsTest, HelpAndMistakes) {
  const auto exit_code = [](std::vector<const char*> argv) {
    const ParsedOptions parsed = parse_options(static_cast<int>(argv.size()), argv.data());
    EXPECT_FALSE(parsed.options);
    return parsed.exit_code;
  };
  EXPECT_EQ(exit_code({"saccade", "--help"}), 0);
  EXPECT_EQ(exit_code({"saccade", "--version"}), 0);
  EXPECT_EQ(exit_code({"saccade", "--format", "xml"}), 2);
  EXPECT_EQ(exit_code({"saccade", "--nonsense"}), 2);
  EXPECT_EQ(exit_code({"saccade", "SELECT 1"}), 2);
}

}  // namespace
}  // namespace saccade::shell
