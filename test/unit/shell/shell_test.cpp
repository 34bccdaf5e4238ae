#include "interfaces/shell/shell.hpp"

#include <fcntl.h>
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
    options.print.format = Format::kCsv;
  }

  int run(const std::string& input) {
    std::istringstream stream(input);
    Output out(fileno(output_file.file()));
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
  const int full = open("/dev/full", O_WRONLY);
  Output out(full);
  std::istringstream input("SELECT 1; SELECT 2;");
  EXPECT_THROW(Shell(session, options, out, errors_file.file()).run(input, false), OutputError);
  EXPECT_EQ(session.executed, (Statements{"SELECT 1;"}));
  close(full);
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

// A folder of its own, which goes with the test.
class FileTest : public ShellTest {
 protected:
  FileTest() : folder(std::filesystem::temp_directory_path() / ("saccade_shell_test_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder / "in");
  }
  ~FileTest() override { std::filesystem::remove_all(folder); }
  std::string write(const char* name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }
  std::string read(const char* name) {
    std::ifstream file(folder / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::filesystem::path folder;
};

TEST_F(FileTest, FilesRunFilesRelativeToThemselves) {
  write("in/b.sql", "SELECT 'b';\n\\ir c.sql\n");
  write("in/c.sql", "\xef\xbb\xbfSELECT 'c'");
  const std::string a = write("a.sql", "\\ir in/b.sql\nSELECT 'a';");
  EXPECT_EQ(run("\\i " + a + "\nSELECT 0;"), 0);
  EXPECT_EQ(session.executed, (Statements{"SELECT 'b';", "SELECT 'c'", "SELECT 'a';", "SELECT 0;"}));
}

TEST_F(FileTest, AFileEndsAtItsFirstErrorAndTellsThePlace) {
  write("b.sql", "\n-- x\n\nSELECT\n x;\nSELECT 3;");
  session.answer("SELECT\n x;", []() -> std::unique_ptr<QueryResult> { throw QueryError("42703", "no x", 9, ""); });
  const std::string a = write("a.sql", "\\ir b.sql\nSELECT 2;");
  EXPECT_EQ(run("\\i " + a + "\nSELECT 1;"), 1);
  EXPECT_EQ(session.executed, (Statements{"SELECT\n x;", "SELECT 1;"}));
  const std::string place = "saccade:" + (folder / "b.sql").string() + ":5: ";
  EXPECT_EQ(errors(), place + "ERROR:  42703: no x\nLINE 2:  x;\n         ^\n");
}

TEST_F(FileTest, AFileThatRunsItselfIsAnError) {
  const std::string a = write("a.sql", "\\ir a.sql\n");
  EXPECT_EQ(run("\\i " + a + "\nSELECT 1;"), 1);
  EXPECT_NE(errors().find("ERROR:  54001: files run each other more than 50 deep"), std::string::npos) << errors();
  EXPECT_EQ(session.executed, (Statements{"SELECT 1;"}));
}

TEST_F(FileTest, ResultsGoToAFileAndBack) {
  const std::string out = (folder / "out file").string(), other = (folder / "other").string();
  EXPECT_EQ(run("\\o '" + out + "'\nSELECT 1;\nSELECT 2 \\g " + other + "\n\\o\nSELECT 3;"), 0);
  EXPECT_EQ(read("out file"), "sql\nSELECT 1;\n");
  EXPECT_EQ(read("other"), "sql\nSELECT 2 \n");
  EXPECT_EQ(output(), "sql\nSELECT 3;\n");
}

TEST_F(FileTest, TheOptionSendsAllResultsToAFile) {
  options.output = (folder / "out").string();
  EXPECT_EQ(run("SELECT 1;"), 0);
  EXPECT_EQ(read("out"), "sql\nSELECT 1;\n");
  options.output = (folder / "none" / "out").string();
  EXPECT_EQ(run("SELECT 2;"), 1);
  EXPECT_EQ(session.executed, (Statements{"SELECT 1;"}));
  EXPECT_EQ(errors(), "ERROR:  58030: could not write to \"" + options.output + "\": No such file or directory\n");
}

TEST_F(ShellTest, AFullDiskUnderAFileOfResultsIsAnErrorAndTheShellGoesOn) {
  EXPECT_EQ(run("\\o /dev/full\nSELECT 1;\nSELECT 2;\n\\o\nSELECT 3;"), 1);
  const std::string error = "ERROR:  53100: could not write to \"/dev/full\": No space left on device\n";
  EXPECT_EQ(errors(), error + error);
  EXPECT_EQ(output(), "sql\nSELECT 3;\n");
}

TEST_F(ShellTest, CommandsChangeHowResultsLook) {
  EXPECT_EQ(run("\\format jsonl\nSELECT 1;\n\\format\n\\pset format line\nSELECT 2;\n\\pset format table\n\\x\nSELECT 3;\n"
                "\\x off\n\\t on\nSELECT 4;\n"),
            0);
  EXPECT_EQ(output(),
            "Output format is jsonl.\n{\"sql\":\"SELECT 1;\"}\nOutput format is jsonl.\n"
            "Output format is line.\nsql = SELECT 2;\n\nOutput format is table.\n"
            "Expanded display is on.\n-[ RECORD 1 ]--\nsql | SELECT 3;\n\n"
            "Expanded display is off.\nTuples only is on.\n SELECT 4;\n\n");
}

TEST_F(ShellTest, MistakesInCommandsAreErrors) {
  EXPECT_EQ(run("\\format xml\n\\pset size 3\n\\x 2\n\\timing soon\n\\i\n\\echo 'a\n\\g\n"), 1);
  EXPECT_EQ(errors(),
            "ERROR:  22023: unrecognized value \"xml\" for \"format\"\n"
            "HINT:  Available values are: table, csv, json, jsonl, markdown, line.\n"
            "ERROR:  42704: unknown print option \"size\"\nHINT:  There are expanded, footer, format, null, tuples_only.\n"
            "ERROR:  22023: unrecognized value \"2\" for \"expanded\"\nHINT:  Available values are: on, off, auto.\n"
            "ERROR:  22023: unrecognized value \"soon\" for \"\\timing\"\nHINT:  Available values are: on, off.\n"
            "ERROR:  42601: \\i: missing required argument\n"
            "ERROR:  42601: unterminated quoted string\n"
            "ERROR:  42601: there is no statement for \\g to run\n");
  EXPECT_EQ(run("\\x on off\n"), 0);
  EXPECT_TRUE(errors().ends_with("\\x: extra argument \"off\" ignored\n")) << errors();
}

TEST_F(ShellTest, CommandsStandWithinStatementsToo) {
  options.print.format = Format::kTable;
  EXPECT_EQ(run("SELECT 1\n\\p\n+ 1 \\gx\nSELECT 2 \\r\nSELECT 3; \\echo a  'b  c'\\\\SELECT 4;"), 0);
  EXPECT_EQ(session.executed, (Statements{"SELECT 1\n\n+ 1 ", "SELECT 3;", "SELECT 4;"}));
  EXPECT_TRUE(output().starts_with("SELECT 1\n\n-[ RECORD 1 ]-\nsql | SELECT 1+\n")) << output();
  EXPECT_NE(output().find("a b  c\n"), std::string::npos) << output();
}

TEST_F(ShellTest, DescribesRelationsAndFiles) {
  const auto tables = [] {
    return std::make_unique<FakeResult>(
        std::vector<ResultField>{{"table_schema", "text"}, {"table_name", "text"}, {"table_type", "text"}},
        std::vector<std::vector<FakeResult::Cell>>{
            {"information_schema", "tables", "VIEW"}, {"public", "My Orders", "BASE TABLE"}, {"public", "recent", "VIEW"}});
  };
  session.answer("SELECT table_schema, table_name, table_type FROM information_schema.tables ORDER BY table_schema, table_name",
                 tables);
  const auto columns = [] {
    return std::make_unique<FakeResult>(std::vector<ResultField>{{"id", "integer"}, {"price", "numeric(15,2)"}},
                                        std::vector<std::vector<FakeResult::Cell>>{});
  };
  session.answer("SELECT * FROM public.\"My Orders\" LIMIT 0", columns);
  session.answer("SELECT * FROM 'it''s.parquet' LIMIT 0", columns);
  session.answer(
      "SELECT column_name, is_nullable, column_default FROM information_schema.columns WHERE table_schema = 'public' AND "
      "table_name = "
      "'My Orders'",
      [] {
        return std::make_unique<FakeResult>(
            std::vector<ResultField>{{"column_name", "text"}, {"is_nullable", "text"}, {"column_default", "text"}},
            std::vector<std::vector<FakeResult::Cell>>{{"id", "NO", std::nullopt}, {"price", "YES", "1.50"}});
      });
  options.print.format = Format::kTable;
  EXPECT_EQ(run("\\d\n\\dt\n\\dv rec*;\n\\d \"My Orders\"\n\\d 'it''s.parquet'\n"), 0);
  EXPECT_EQ(errors(), "");
  EXPECT_EQ(output(),
            "     List of relations\n Schema |   Name    | Type  \n--------+-----------+-------\n"
            " public | My Orders | table\n public | recent    | view\n(2 rows)\n\n"
            "     List of relations\n Schema |   Name    | Type  \n--------+-----------+-------\n"
            " public | My Orders | table\n(1 row)\n\n"
            "   List of relations\n Schema |  Name  | Type \n--------+--------+------\n public | recent | view\n(1 row)\n\n"
            "          Table \"public.My Orders\"\n Column |     Type      | Nullable | Default \n"
            "--------+---------------+----------+---------\n"
            " id     | integer       | not null | \n price  | numeric(15,2) |          | 1.50\n\n"
            "  File \"it's.parquet\"\n Column |     Type      \n--------+---------------\n"
            " id     | integer\n price  | numeric(15,2)\n\n");
  EXPECT_EQ(run("\\d nope\n"), 1);
  EXPECT_TRUE(errors().starts_with("ERROR:  42P01: did not find any relation named \"nope\"\n")) << errors();
}

TEST_F(ShellTest, ShowsNoticesAsErrorsAreShown) {
  session.answer("DROP TABLE IF EXISTS t;", [] {
    auto result =
        std::make_unique<FakeResult>(std::vector<ResultField>{}, std::vector<std::vector<FakeResult::Cell>>{}, "DROP TABLE");
    result->notices_.push_back("table \"t\" does not exist, skipping");
    return result;
  });
  options.print.format = Format::kTable;
  EXPECT_EQ(run("DROP TABLE IF EXISTS t;"), 0);
  EXPECT_EQ(errors(), "NOTICE:  table \"t\" does not exist, skipping\n");
  EXPECT_EQ(output(), "DROP TABLE\n");
}

TEST_F(ShellTest, AZeroByteInAStatementIsAnError) {
  EXPECT_EQ(run(std::string("SELECT 1\0;SELECT 2;", 19)), 1);
  EXPECT_EQ(session.executed, (Statements{"SELECT 2;"}));
  EXPECT_TRUE(errors().starts_with("ERROR:  22021: ")) << errors();
}

TEST_F(ShellTest, CtrlCWhileAResultIsWrittenEndsIt) {
  catch_signals();
  class Endless : public FakeResult {
   public:
    Endless() : FakeResult({{"n", "integer"}}, {}) {}
    std::int64_t rows() const override { return 1'000'000'000'000; }
    bool is_null(std::int64_t, int) const override { return false; }
    std::string text(std::int64_t row, int) const override {
      if (row == 1000) std::raise(SIGINT);
      return "1";
    }
  };
  session.answer("ENDLESS;", [] { return std::make_unique<Endless>(); });
  EXPECT_EQ(run("ENDLESS; SELECT 2;"), 1);
  EXPECT_EQ(errors(), "ERROR:  57014: canceling statement due to user request\n");
  EXPECT_TRUE(output().starts_with("n\n1\n1\n") && output().size() < 10'000) << output().size();
}

TEST(OptionsTest, ReadsTheCommandLine) {
  const char* argv[] = {"saccade", "-c",       "SELECT 1", "-f",        "a.sql",     "-c",       "-- two",    "--format",
                        "json",    "--ranks",  "2",        "--threads", "4",         "--device", "gpu-shim",  "--memory-limit",
                        "1GB",     "--timing", "-b",       "--set",     "verify=on", "-P",       "null=NULL", "-x",
                        "-t",      "-o",       "out.json", "-X"};
  const ParsedOptions parsed = parse_options(static_cast<int>(std::size(argv)), argv);
  ASSERT_TRUE(parsed.options);
  const Options& options = *parsed.options;
  ASSERT_EQ(options.sources.size(), 3u);
  EXPECT_EQ(options.sources[0].text, "SELECT 1");
  EXPECT_TRUE(options.sources[1].is_file);
  EXPECT_EQ(options.sources[1].text, "a.sql");
  EXPECT_EQ(options.sources[2].text, "-- two");
  EXPECT_EQ(options.print.format, Format::kJson);
  EXPECT_TRUE(options.timing && options.echo_errors && !options.startup_file);
  EXPECT_EQ(options.print.null_text, "NULL");
  EXPECT_TRUE(options.print.expanded == Expanded::kOn && options.print.tuples_only);
  EXPECT_EQ(options.output, "out.json");
  const std::vector<std::pair<std::string, std::string>> settings{
      {"threads", "4"}, {"ranks", "2"}, {"device", "gpu-shim"}, {"memory_limit", "1GB"}, {"verify", "on"}};
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
  EXPECT_EQ(exit_code({"saccade", "--set", "threads"}), 2);
  EXPECT_EQ(exit_code({"saccade", "-P", "size=3"}), 2);
}

}  // namespace
}  // namespace saccade::shell
