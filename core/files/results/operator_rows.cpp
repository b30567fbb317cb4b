#include "core/files/results/operator_rows.h"

#include "core/files/text/csv.h"
#include "core/values/basics/names.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <cmath>

namespace plimsoll {

namespace {

constexpr double longest_us = 1e9, largest_dimension = 1e8, most_bytes = 1e13;
constexpr int most_ranks = 1 << 20, most_sequence = 1 << 24;

template <class E>
std::vector<std::string_view> all_names() {
    return {names_of<E>().begin(), names_of<E>().end()};
}

Precision format_in(CsvValues& row) { return Precision(row.choice("format", all_names<Precision>())); }

// A whole number, which may be beyond an int.
double dimension(CsvValues& row, std::string_view column) {
    const double value = row.number(column, 1, largest_dimension);
    if (value != std::floor(value)) row.refuse(column, phrase("expected a whole number"));
    return value;
}

MeasuredWork read_product(CsvValues& row) {
    MeasuredProduct p;
    p.format = format_in(row);
    p.m = dimension(row, "m");
    p.n = dimension(row, "n");
    p.k = dimension(row, "k");
    p.conversion = Conversion(
        row.choice("conversion", {"none", "tensor", "row", "block", "block_packed", "block_given"}));
    if (p.conversion != Conversion::none && p.format != Precision::fp8)
        row.refuse("conversion", phrase("only fp8 products convert their input, expected none"));
    p.kernel = row.text("kernel");
    return p;
}

MeasuredWork read_attention(CsvValues& row) {
    MeasuredAttention a;
    a.kernel = AttentionKernel(row.choice("kernel", all_names<AttentionKernel>()));
    a.pass = MeasuredPass(row.choice("pass", {"forward", "backward", "both"}));
    a.key_dim = row.whole("key_dim", 1, 4096);
    a.value_dim = row.whole("value_dim", 1, 4096);
    a.heads = row.whole("heads", 1, 65536);
    a.kv_heads = row.whole("kv_heads", 1, 65536);
    if (a.heads % a.kv_heads != 0)
        row.refuse("kv_heads", phrase("{1} does not divide {2} heads", a.kv_heads, a.heads));
    a.sequence = row.whole("sequence", 1, most_sequence);
    a.batch = row.whole("batch", 1, 1 << 20);
    return a;
}

MeasuredWork read_grouped(CsvValues& row) {
    MeasuredGrouped g;
    g.format = format_in(row);
    g.pass = GroupedPass(row.choice("pass", {"forward", "data_gradient", "weight_gradient"}));
    g.experts = row.whole("experts", 1, 65536);
    g.rows = row.whole("rows", 1, most_sequence);
    g.n = row.whole("n", 1, 1 << 20);
    g.k = row.whole("k", 1, 1 << 20);
    g.kernel = row.text("kernel");
    return g;
}

MeasuredWork read_collective(CsvValues& row) {
    MeasuredCollective c;
    c.operation = MeasuredOperation(
        row.choice("operation", {"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "p2p"}));
    c.ranks = row.whole("ranks", 2, most_ranks);
    c.ranks_per_node = row.whole("ranks_per_node", 1, most_ranks);
    if (c.ranks > c.ranks_per_node && c.ranks % c.ranks_per_node != 0)
        row.refuse("ranks_per_node", phrase("{1} does not divide {2} ranks", c.ranks_per_node, c.ranks));
    if (c.operation == MeasuredOperation::p2p && c.ranks != 2)
        row.refuse("ranks", phrase("a message is between 2 ranks"));
    c.bytes = row.number("bytes", 1, most_bytes);
    return c;
}

MeasuredWork read_stream(CsvValues& row) {
    MeasuredStream s;
    s.operation = row.text("operation");
    if (s.operation.empty()) row.refuse("operation", phrase("empty, expected what was streamed"));
    s.bytes = row.number("bytes", 1, most_bytes);
    return s;
}

struct OperatorFormat {
    std::vector<std::string> columns;
    MeasuredWork (*read)(CsvValues&);
};

const std::vector<OperatorFormat>& operator_formats() {
    static const std::vector<OperatorFormat> all{
        {{"machine", "format", "m", "n", "k", "time_us", "conversion", "kernel", "source"}, read_product},
        {{"machine", "kernel", "pass", "key_dim", "value_dim", "heads", "kv_heads", "sequence", "batch", "time_us",
          "source"},
         read_attention},
        {{"machine", "format", "pass", "experts", "rows", "n", "k", "time_us", "kernel", "source"}, read_grouped},
        {{"machine", "operation", "ranks", "ranks_per_node", "bytes", "time_us", "source"}, read_collective},
        {{"machine", "operation", "bytes", "time_us", "source"}, read_stream},
    };
    return all;
}

Problem unknown_header(const std::string& file) {
    std::string message = phrase("the columns are those of no kind of operator; expected one of");
    for (const OperatorFormat& f : operator_formats()) message += "\n  " + joined(f.columns, ",");
    return {Severity::error, file, phrase("line {1}", 1), message};
}

}  // namespace

Expected<OperatorRows, Problems> read_operator_rows(std::string_view csv, const std::string& file) {
    constexpr std::size_t enough_problems = 20;
    const auto table = read_csv(csv, file);
    if (!table) return Unexpected{table.error()};
    const OperatorFormat* format = nullptr;
    for (const OperatorFormat& each : operator_formats())
        if (each.columns == table->columns) format = &each;
    if (!format) return Unexpected{Problems{unknown_header(file)}};
    OperatorRows rows;
    Problems problems;
    for (std::size_t i = 0; i < table->rows.size() && problems.size() < enough_problems; ++i) {
        CsvValues row(*table, i, problems);
        OperatorRow r;
        r.machine = row.text("machine");
        if (r.machine.empty()) row.refuse("machine", phrase("empty, expected the id of a machine preset"));
        r.time = row.number("time_us", 1e-3, longest_us) * microsecond;
        r.source = row.text("source");
        if (r.source.empty()) row.refuse("source", phrase("empty, expected where the time was published"));
        r.work = format->read(row);
        rows.push_back(std::move(r));
    }
    if (!problems.empty()) return Unexpected{std::move(problems)};
    return rows;
}

}  // namespace plimsoll
