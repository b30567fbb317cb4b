#include "core/values/basics/csv.h"

#include "core/values/basics/text.h"

namespace plimsoll {

CsvRow& CsvRow::put(std::string_view written) {
    if (!first_) line_ += ',';
    first_ = false;
    line_ += written;
    return *this;
}

namespace {

// What begins a formula in the spreadsheets people use. A dash alone stands for "nothing".
bool is_formula(std::string_view text) {
    return text.size() > 1 && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

}  // namespace

CsvRow& CsvRow::quoted(std::string_view text) {
    std::string cell = is_formula(text) ? "\"'" : "\"";
    for (const char c : text) {
        if (c == '"') cell += '"';
        cell += c;
    }
    return put(cell + '"');
}

CsvRow& CsvRow::text(std::string_view text) {
    if (text.find_first_of(",\"\r\n") != text.npos) return quoted(text);
    return is_formula(text) ? put(std::string("'").append(text)) : put(text);
}

CsvRow& CsvRow::number(double v) { return put(shortest(v)); }
CsvRow& CsvRow::number(double v, int digits) { return put(significant(v, digits)); }
CsvRow& CsvRow::whole(long long n) { return put(std::to_string(n)); }
CsvRow& CsvRow::truth(bool is) { return put(is ? "true" : "false"); }

CsvRow& CsvRow::empty(int cells) {
    for (int i = 0; i < cells; ++i) put({});
    return *this;
}

std::string csv_comment(std::string_view text) { return "# " + one_line(std::string(text)) + '\n'; }

}  // namespace plimsoll
