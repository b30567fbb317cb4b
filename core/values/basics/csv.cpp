#include "core/values/basics/csv.h"

#include "core/values/basics/text.h"

namespace plimsoll {

CsvRow& CsvRow::put(std::string_view written) {
    if (!first_) line_ += ',';
    first_ = false;
    line_ += written;
    return *this;
}

CsvRow& CsvRow::quoted(std::string_view text) {
    std::string cell = "\"";
    for (const char c : text) {
        if (c == '"') cell += '"';
        cell += c;
    }
    return put(cell + '"');
}

CsvRow& CsvRow::text(std::string_view text) {
    return text.find_first_of(",\"\r\n") == text.npos ? put(text) : quoted(text);
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
