// Physical plans: pipelines (source > steps > sink) as pure data, the same for every device and number of ranks.
//
// The planner lowers everything that is peculiar to SQL, so that backends stay small:
//   - values travel in slots; a slot has one of five lanes and may be null;
//   - keys of joins, groups, sorts and exchanges are tuples of *non-null int64 parts* (a nullable or wide key becomes several
//     parts); two rows are equal exactly when their parts are; signed order of the parts, left to right, is the sort order;
//   - aggregates are count, sum, min and max over lanes; their states start at the identity and are never null (SQL's NULL for
//     an empty sum, and avg, are computed by a later pipeline from a count);
//   - text is a code of a sorted dictionary, where what depends on strings became a lookup table or a bound on codes, or it is
//     the string itself (Lane::kText), which becomes a key part by kIntern and is text again by kTextOfKey. Interned keys mean
//     something within one process only: what ranks exchange is text, and they shuffle it by its hash.
// A plan is immutable, serialisable (serialize.hpp), and holds no pointers: a rank in another process runs what it is sent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "data/column.hpp"
#include "function/registry.hpp"
#include "function/text/registry.hpp"
#include "plan/window.hpp"

namespace saccade::physical {

// ---- values ---------------------------------------------------------------------------------------------------------------

struct Slot {
  std::string name;  // for EXPLAIN and emitted text: "l_shipdate"
  DataType type;
  Lane lane = Lane::kInt64;
  bool nullable = false;
  std::optional<Bounds> bounds;  // of integer lanes, proven
  int dictionary = -1;           // text in lane int64: index into Plan::dictionaries
  bool operator==(const Slot&) const = default;
};

// A literal of a pipeline: an argument of its kernel, never part of its text.
struct Literal {
  Lane lane = Lane::kInt64;
  bool is_null = false;
  int128 integer = 0;  // kBoolean (0, 1), kInt64, kInt128
  double real = 0;     // kFloat64
  std::string text;    // kText
  bool operator==(const Literal&) const = default;
};

// A table indexed by a code or a small integer: lookup(x) = values[x - base]; x always lies within. A boolean lookup holds 0
// and 1. From LIKE, IN and comparisons over dictionaries, and from remapping codes to another dictionary.
struct Lookup {
  Lane lane = Lane::kInt64;  // kBoolean or kInt64
  std::int64_t base = 0;
  std::vector<std::int64_t> values;
  bool operator==(const Lookup&) const = default;
};

enum class NodeKind : std::uint8_t {
  kSlot,     // index: slot
  kLiteral,  // index: literal
  kCall,     // function, arguments; strict
  kAnd,
  kOr,      // two or more arguments; three-valued; an argument that can fail is evaluated only for rows whose result the
            // earlier arguments have not settled
  kNot,     // three-valued
  kIsNull,  // never null
  kCase,    // condition, value, condition, value, ..., else; a value is evaluated only for the rows that reach it
  kOrElse,  // two arguments: the first where it is not null, else the second (evaluated only for those rows); null only
            // where the second is. COALESCE, and key parts of nullable values.
  kLookup,  // index: lookup; one int64 argument, within the lookup wherever it is not null (codes of null rows are any)
  kDictionaryText,  // index: into Pipeline::text_dictionaries; one int64 argument, a code: its string
  kIntern,          // one text argument: the int64 that stands for its contents within this query and process
  kTextOfKey,       // one int64 argument, made by kIntern: its text
  kTextCall,        // text_function, arguments
};

struct Node {
  NodeKind kind = NodeKind::kLiteral;
  Lane lane = Lane::kInt64;
  bool nullable = false;
  bool can_fail = false;  // this node or one below it
  int index = -1;
  FunctionId function{};           // kCall
  TextFunctionId text_function{};  // kTextCall
  std::vector<Node> arguments;
  bool operator==(const Node&) const = default;
};

// ---- pipelines ------------------------------------------------------------------------------------------------------------

// Reads a table's encoded columns into slots.
struct TableScan {
  std::string table;          // name or path
  std::string opener;         // empty: a table of the catalog; else read_file, read_parquet
  std::uint64_t version = 0;  // every rank checks it
  std::int64_t rows = 0;      // over all ranks
  struct ScanColumn {
    int column = 0;  // in the table
    int slot = 0;
    Encoding encoding;
    std::int64_t base = 0;
    bool operator==(const ScanColumn&) const = default;
  };
  std::vector<ScanColumn> columns;
  // Chunks whose bounds of `column` lie outside of these hold no row that passes the filters.
  struct SkipBound {
    int column = 0;
    Bounds bounds;
    bool operator==(const SkipBound&) const = default;
  };
  std::vector<SkipBound> skip;
  bool operator==(const TableScan&) const = default;
};

// Reads the output of an earlier pipeline: output column i into slots[i] (-1: not read).
struct OutputScan {
  int pipeline = -1;
  std::vector<int> slots;
  bool operator==(const OutputScan&) const = default;
};

// One row, no columns; on rank 0 only.
struct OneRow {
  bool operator==(const OneRow&) const = default;
};

// Rows of a join build by whether a probe found them: the rows of the build side that an outer, semi or anti join adds. The
// build tracks matches, and the pipelines that probe it come before this one. Payload column i into slots[i] (-1: not read).
struct BuildScan {
  enum class Which : std::uint8_t { kMatched, kUnmatched };
  int build = -1;
  Which which = Which::kUnmatched;
  std::vector<int> slots;
  bool operator==(const BuildScan&) const = default;
};

// The rows of several earlier pipelines, one after the other; the lanes of their columns are those of the slots.
struct Concatenation {
  std::vector<OutputScan> inputs;
  bool operator==(const Concatenation&) const = default;
};

// Constant rows; on rank 0 only. Row r of slots[i] is literals[r * slots.size() + i] of the pipeline.
struct ValueRows {
  std::vector<int> slots;
  std::int64_t rows = 0;
  bool operator==(const ValueRows&) const = default;
};

using Source = std::variant<TableScan, OutputScan, OneRow, ValueRows, BuildScan, Concatenation>;

// Keeps the rows for which `predicate` is true (not false, not null).
struct Filter {
  Node predicate;
  std::string text;        // for EXPLAIN
  double selectivity = 1;  // estimated
  bool operator==(const Filter&) const = default;
};

// slots[i] = expressions[i]. Evaluated only for the rows that are left.
struct Compute {
  std::vector<int> slots;
  std::vector<Node> expressions;
  bool operator==(const Compute&) const = default;
};

enum class ProbeKind : std::uint8_t {
  kInner,  // one row out for each match
  kLeft,   // as kInner, and one row, with null payload, for a row without a match
  kSemi,   // each row with a match, once
  kAnti,   // each row without one
  kMark,   // each row, once; `mark_slot` is true where there is a match, else false; never null
  kTrack,  // no rows: only the build learns which of its rows match
};

// Joins each row with the rows of a build: a pair matches where the key parts are equal and `condition` is true. Where the
// build tracks matches, the probe marks the build rows that match.
struct Probe {
  ProbeKind kind = ProbeKind::kInner;
  int build = -1;          // the pipeline whose sink is the JoinBuild
  std::vector<Node> keys;  // int64, not null; as many as the build's
  // At most one: over the row's slots and the payload slots, for pairs with equal keys. Evaluated for every such pair unless it
  // can't fail or an earlier pair of the row has settled what comes out. (kInner: a Filter behind the probe does it.)
  std::vector<Node> condition;
  // Payload column i of the build into slots[i] (-1: not read); kSemi, kAnti, kMark, kTrack: filled for the condition only.
  std::vector<int> payload;
  int mark_slot = -1;  // kMark: a boolean slot
  int row_slot = -1;   // int64 slot for the build row's number, for an aggregate by build row; -1: none
  std::string text;
  bool operator==(const Probe&) const = default;
};

// Each row `count` times (null or less than 1: not at all); `number_slot` numbers the copies from 0 on.
struct Repeat {
  Node count;            // int64
  int number_slot = -1;  // int64, not null
  bool operator==(const Repeat&) const = default;
};

using Step = std::variant<Filter, Compute, Probe, Repeat>;

// Collects the build side of a join. Build rows are numbered 0 .. n-1.
struct JoinBuild {
  // kDense: one key part within `key_bounds`: a bitmap over the range, and the rank of a bit is its row; unique keys only.
  // kHash: open addressing from the key parts to a row, or to a chain of rows where keys repeat.
  // kAllRows: no key parts; every row is a partner of every row that probes.
  enum class Layout : std::uint8_t { kDense, kHash, kAllRows };
  Layout layout = Layout::kHash;
  // The planner relies on unique keys. A build that meets a repeated key then raises AssumptionFailed
  // (execution/assumption.hpp) naming `assumed_table` and `assumed_column`, and the session plans again without the assumption.
  bool unique = false;
  // Of rows with equal keys one is kept: those who probe only ask whether there is one. The build has no payload.
  bool distinct = false;
  bool track_matches = false;  // rows remember whether a probe found them (BuildScan)
  std::string assumed_table;
  int assumed_column = -1;
  Bounds key_bounds;         // kDense
  std::vector<Node> keys;    // int64, not null
  std::vector<int> payload;  // slots kept, in the order Probe::payload counts
  double estimated_rows = 0;
  bool operator==(const JoinBuild&) const = default;
};

enum class AggregateFunction : std::uint8_t {
  kCountStar,  // state int64
  kCount,      // rows where the argument is not null; state int64
  kSum,        // state lane given by `state`: int64 proven by bounds and row count, int128 (from int64 or int128 arguments,
               // proven not to overflow 127 bits), float64
  kMin,
  kMax,  // state lane = argument lane; identity: the lane's largest / smallest value (+-infinity, min: NaN, for float64)
};

struct Aggregate {
  AggregateFunction function = AggregateFunction::kCountStar;
  Lane state = Lane::kInt64;
  std::vector<Node> argument;  // none for kCountStar, else one; rows where it is null are passed over
  bool operator==(const Aggregate&) const = default;
};

// Groups rows. Output columns: the key parts (kSingle: none; kBuildRow: the payload columns of the build, in order), then the
// aggregates' states. Only groups that have a row are put out; kSingle always puts out exactly one row (on each rank, or on
// rank 0 alone).
struct Aggregation {
  enum class Layout : std::uint8_t {
    kSingle,    // no keys
    kPerfect,   // group = sum of (part_i - key_bounds_i.low) * stride_i, the last key fastest; `groups` in all
    kBuildRow,  // group = row of the unique build that `build` names; keys: one node, the row slot
    kHash,
  };
  Layout layout = Layout::kHash;
  std::vector<Node> keys;          // int64, not null
  std::vector<Bounds> key_bounds;  // kPerfect
  std::int64_t groups = 0;         // kPerfect: slots
  int build = -1;                  // kBuildRow: a pipeline with a JoinBuild
  std::vector<Aggregate> aggregates;
  // kPerfect, kBuildRow: the aggregate whose state is not 0 exactly where the group has a row (a count, or a sum of values
  // that bounds prove positive).
  int presence = -1;
  bool only_rank_zero = false;  // kSingle over rows that stand on rank 0: other ranks put out nothing
  double estimated_groups = 0;
  bool operator==(const Aggregation&) const = default;
};

// Orders rows by key parts, ascending; keeps [offset, offset + limit) where a limit is given. Output: `output` slots.
struct Sort {
  // int64 or text, not null; none: any order (LIMIT without ORDER BY). A text key is in descending order where its node is a
  // call of descending_text.
  std::vector<Node> keys;
  std::optional<std::int64_t> limit;
  std::int64_t offset = 0;
  std::vector<int> output;
  bool operator==(const Sort&) const = default;
};

// Sends rows to other ranks; the output of this pipeline is what arrived here.
struct Exchange {
  // kShuffle: to the rank that partition_of(hash of the key parts) names. kBroadcast: to all. kGather: to rank 0.
  enum class Kind : std::uint8_t { kShuffle, kBroadcast, kGather };
  Kind kind = Kind::kGather;
  std::vector<Node> keys;  // kShuffle: int64, not null
  std::vector<int> output;
  double estimated_rows = 0, shuffle_seconds = 0, broadcast_seconds = 0;  // predicted, for EXPLAIN
  std::string text;
  bool operator==(const Exchange&) const = default;
};

// Keeps rows for a later pipeline of the same rank.
struct Collect {
  std::vector<int> output;
  bool operator==(const Collect&) const = default;
};

// A window function, for every row of its partition.
struct WindowFunction {
  WindowKind kind = WindowKind::kRowNumber;
  int value_slot = -1;       // of functions that put out a row's value
  std::vector<Node> number;  // int64; none or one: the offset (lag, lead), the buckets (ntile), the place (nth_value)
  int frame = -1;            // of functions over the frame: index into Window::frames
  Aggregate aggregate;       // kAggregate: its state over the frame, never null
  bool operator==(const WindowFunction&) const = default;
};

// As WindowFrame, with its offsets lowered.
struct Frame {
  struct Offset {
    int128 integer = 0;  // rows, groups, or a distance from a key in int64 or int128
    double real = 0;     // from a key in float64
    bool is_interval = false;
    std::int64_t months = 0, days = 0, microseconds = 0;  // from a key that is a timestamp
    bool operator==(const Offset&) const = default;
  };
  WindowFrame::Mode mode = WindowFrame::Mode::kRange;
  WindowFrame::Bound start = WindowFrame::Bound::kUnboundedPreceding, end = WindowFrame::Bound::kCurrentRow;
  WindowFrame::Exclusion exclusion = WindowFrame::Exclusion::kNone;
  Offset start_offset, end_offset;
  int range_slot = -1;  // kRange with an offset: the one sort key
  bool range_descending = false, range_nulls_first = false;
  bool operator==(const Frame&) const = default;
};

// Window functions over rows in order within partitions. Output: `output` slots, then one column a function; the rows' order is
// that of partition and order parts. Errors: 22014, 22016 of ntile and nth_value with a number below 1.
struct Window {
  std::vector<Node> partition, order;  // key parts: int64, not null
  std::vector<Frame> frames;
  std::vector<WindowFunction> functions;
  std::vector<int> output;
  bool operator==(const Window&) const = default;
};

// The rows of the result, for the user (rank 0 holds them all).
struct Result {
  std::vector<int> output;
  bool operator==(const Result&) const = default;
};

// The rows of a new table; each rank keeps its own.
struct Insert {
  std::string table;
  std::vector<std::string> column_names;
  std::vector<int> output;
  bool only_rank_zero = false;  // the rows stand on rank 0; what other ranks hold is no part of the table
  bool operator==(const Insert&) const = default;
};

using Sink = std::variant<JoinBuild, Aggregation, Sort, Exchange, Result, Insert, Collect, Window>;

enum class Placement : std::uint8_t { kHost, kDevice };

struct Pipeline {
  int id = 0;  // its index in Plan::pipelines
  std::vector<Slot> slots;
  std::vector<Literal> literals;
  std::vector<Lookup> lookups;
  std::vector<int> text_dictionaries;  // what kDictionaryText nodes name: indexes into Plan::dictionaries
  Source source;
  std::vector<Step> steps;
  Sink sink;
  // kHost: on the CPU backend whatever the session's device is (few rows: the last sort); EXPLAIN says so.
  Placement placement = Placement::kDevice;
  double estimated_rows = 0;  // into the sink
  bool operator==(const Pipeline&) const = default;
};

// Where a dictionary comes from: a column of a table (every rank has it after Table::prepare) or strings of the plan's own.
struct DictionaryReference {
  std::string table, opener;  // empty: `strings`
  int column = -1;
  std::vector<std::string> strings;
  std::uint64_t identity = 0;
  bool operator==(const DictionaryReference&) const = default;
};

struct Plan {
  std::vector<Pipeline> pipelines;  // in an order in which each comes after those it reads
  std::vector<DictionaryReference> dictionaries;
  std::vector<std::string> result_names;
  int ranks = 1;
  bool operator==(const Plan&) const = default;
};

// The slots a pipeline's output has, in order: what an OutputScan of it reads. (Key parts of an aggregation are slots without
// a name of type bigint; kBuildRow takes the build's payload slots from `plan`.)
std::vector<Slot> output_slots(const Plan& plan, int pipeline);

// The payload slots of a JoinBuild pipeline.
std::vector<Slot> payload_slots(const Plan& plan, int build);

// Pipelines whose outputs this one reads: the source's, the probes', the aggregation's build.
std::vector<int> dependencies(const Pipeline& pipeline);

}  // namespace saccade::physical
