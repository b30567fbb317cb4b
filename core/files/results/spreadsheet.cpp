#include "core/files/results/spreadsheet.h"

#include "core/files/text/disk.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>

#ifdef PLIMSOLL_XLSXWRITER
#include <xlsxwriter.h>

#include <stdlib.h>
#endif

namespace plimsoll {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "4,096.5" without its commas; nothing where they do not part groups of three digits.
std::optional<std::string> without_commas(std::string_view text) {
    if (text.find(',') == text.npos) return std::string(text);
    const std::size_t whole = std::min(text.find_first_of(".eE"), text.size());
    std::string plain;
    std::size_t since = 0;
    bool parted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != ',') {
            plain += text[i];
            if (i < whole && is_digit(text[i])) ++since;
            continue;
        }
        const bool group = parted ? since == 3 : since >= 1 && since <= 3;
        if (i > whole || !group) return {};
        parted = true;
        since = 0;
    }
    return since == 3 ? std::optional(plain) : std::nullopt;
}

constexpr std::size_t longest_sheet_name = 31;

// The last one, with all its bytes.
void drop_letter(std::string& text) {
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
    if (!text.empty()) text.pop_back();
}

std::string allowed_in_name(std::string_view text) {
    std::string name;
    for (const char c : text)
        if (c != '\'' && std::string_view("[]:*?/\\").find(c) == std::string_view::npos) name += c;
    while (characters(name) > longest_sheet_name) drop_letter(name);
    return name;
}

}  // namespace

std::optional<CellNumber> number_of_cell(std::string_view cell) {
    CellNumber n;
    std::string sign;
    if (cell.starts_with("\xE2\x88\x92")) {   // the minus sign of printed text
        sign = "-";
        cell.remove_prefix(3);
    } else if (cell.starts_with('-')) {
        sign = "-";
        cell.remove_prefix(1);
    }
    if (cell.ends_with(" %")) {
        n.share = true;
        cell.remove_suffix(2);
    }
    const auto plain = without_commas(cell);
    if (!plain || plain->empty() || !is_digit(plain->front())) return {};
    if (plain->size() > 1 && plain->front() == '0' && is_digit((*plain)[1])) return {};
    n.grouped = plain->size() != cell.size();
    const auto read = std::from_chars(plain->data(), plain->data() + plain->size(), n.value);
    if (read.ec != std::errc() || read.ptr != plain->data() + plain->size() || !std::isfinite(n.value)) return {};
    const std::size_t point = plain->find('.'), end = std::min(plain->find_first_of("eE"), plain->size());
    if (point != plain->npos) n.decimals = int(end - point) - 1;
    if (end != plain->size()) n.decimals = -1;   // with an exponent: shown as spreadsheets like it
    if (!sign.empty()) n.value = -n.value;
    if (n.share) n.value /= 100;
    return n;
}

std::vector<std::string> sheet_names(const std::vector<Sheet>& sheets) {
    std::vector<std::string> names;
    std::set<std::string> taken;
    for (const Sheet& s : sheets) {
        const std::string wanted =
            allowed_in_name(visible(one_line(s.id.empty() ? s.title : s.slug.empty() ? s.id : s.id + ' ' + s.slug)));
        const auto folded = [](std::string text) {
            for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
            return text;
        };
        std::string name = wanted.empty() ? "Table" : wanted;
        for (int n = 2; !taken.insert(folded(name)).second; ++n) {
            const std::string number = ' ' + std::to_string(n);
            std::string stem = wanted.empty() ? "Table" : wanted;
            while (characters(stem) > longest_sheet_name - number.size()) drop_letter(stem);
            name = stem + number;
        }
        names.push_back(name);
    }
    return names;
}

#ifdef PLIMSOLL_XLSXWRITER

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_cell = 32767;           // bytes are at least as many as letters
constexpr time_t always_made = 946684800;             // 2000-01-01: the same tables give the same bytes
constexpr double narrowest_column = 8, widest_column = 60;   // characters

std::string cell_text(std::string_view text) {
    std::string all = visible(one_line(std::string(text)));
    if (all.size() <= longest_cell) return all;
    all.resize(longest_cell - 3);
    drop_letter(all);
    return all + "...";
}

// A folder of our own, removed with what is in it.
class ScratchFolder {
public:
    ScratchFolder() {
        std::error_code error;
        std::string pattern = (fs::temp_directory_path(error) / "plimsoll-XXXXXX").string();
        if (!error && ::mkdtemp(pattern.data())) path_ = pattern;
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() {
        std::error_code error;
        if (!path_.empty()) fs::remove_all(path_, error);
    }
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

class Workbook {
public:
    explicit Workbook(const fs::path& file) : book_(workbook_new(file.c_str())) {
        if (!book_) return;
        lxw_doc_properties properties{};
        char made_by[] = "Plimsoll";
        properties.author = made_by;
        properties.created = always_made;
        workbook_set_properties(book_, &properties);
        title_ = format([](lxw_format* f) { format_set_bold(f); });
        header_ = format([](lxw_format* f) {
            format_set_bold(f);
            format_set_bottom(f, LXW_BORDER_THIN);
            format_set_text_wrap(f);
            format_set_align(f, LXW_ALIGN_VERTICAL_TOP);
        });
        missing_ = format([](lxw_format* f) { format_set_font_color(f, LXW_COLOR_RED); });
        note_ = format([](lxw_format* f) { format_set_font_color(f, LXW_COLOR_GRAY); });
        text_ = format([](lxw_format* f) {
            format_set_text_wrap(f);
            format_set_align(f, LXW_ALIGN_VERTICAL_TOP);
            format_set_num_format_index(f, 49);   // "@": a text stays one when it is edited
        });
    }
    bool is_open() const { return book_; }

    bool add(const Sheet& s, const std::string& name) {
        lxw_worksheet* sheet = workbook_add_worksheet(book_, name.c_str());
        if (!sheet) return false;
        lxw_row_t row = 0;
        bool fine = write(sheet, row++, 0, s.id.empty() ? s.title : s.id + ". " + s.title, title_);
        for (const std::string& line : s.missing) fine = write(sheet, row++, 0, "MISSING: " + line, missing_) && fine;
        const lxw_row_t header = row++;
        for (std::size_t c = 0; c < s.columns.size(); ++c) {
            const lxw_col_t column = static_cast<lxw_col_t>(c);
            fine = write(sheet, header, column, heading_of(s.columns[c]), header_) && fine;
            worksheet_set_column(sheet, column, column, width_of(s, c), nullptr);
        }
        worksheet_freeze_panes(sheet, header + 1, 0);
        for (const std::vector<std::string>& cells : s.rows) {
            for (std::size_t c = 0; c < s.columns.size() && c < cells.size(); ++c)
                fine = cell(sheet, row, static_cast<lxw_col_t>(c), cells[c], s.columns[c].number) && fine;
            ++row;
        }
        ++row;
        for (const std::string& line : s.notes) fine = write(sheet, row++, 0, line, note_) && fine;
        if (!s.dated.empty()) fine = write(sheet, row, 0, s.dated, note_) && fine;
        return fine;
    }
    bool close() { return workbook_close(book_) == LXW_NO_ERROR; }

private:
    template <class Set>
    lxw_format* format(Set set) {
        lxw_format* f = workbook_add_format(book_);
        if (f) set(f);
        return f;
    }
    static bool write(lxw_worksheet* sheet, lxw_row_t row, lxw_col_t column, std::string_view text, lxw_format* f) {
        return text.empty() || worksheet_write_string(sheet, row, column, cell_text(text).c_str(), f) == LXW_NO_ERROR;
    }
    bool cell(lxw_worksheet* sheet, lxw_row_t row, lxw_col_t column, const std::string& text, bool number) {
        const auto value = number ? number_of_cell(text) : std::nullopt;
        if (!value) return write(sheet, row, column, text, text_);
        return worksheet_write_number(sheet, row, column, value->value, number_format(*value)) == LXW_NO_ERROR;
    }
    // As the table shows it: the cell holds the number, and its format the decimals.
    lxw_format* number_format(const CellNumber& n) {
        std::string pattern = n.decimals < 0 ? "General" : n.grouped ? "#,##0" : "0";
        if (n.decimals > 0) pattern += '.' + std::string(std::size_t(std::min(n.decimals, 12)), '0');
        if (n.share && n.decimals >= 0) pattern += " %";
        for (const auto& [known, f] : numbers_)
            if (known == pattern) return f;
        lxw_format* made = format([&](lxw_format* f) {
            format_set_num_format(f, pattern.c_str());
            format_set_align(f, LXW_ALIGN_VERTICAL_TOP);
        });
        numbers_.emplace_back(pattern, made);
        return made;
    }
    static double width_of(const Sheet& s, std::size_t c) {
        double widest = double(characters(heading_of(s.columns[c]))) / 2;   // headings wrap
        for (const auto& row : s.rows)
            if (c < row.size()) widest = std::max(widest, double(characters(row[c])));
        return std::clamp(widest + 2, narrowest_column, widest_column);
    }

    lxw_workbook* book_;
    lxw_format *title_ = nullptr, *header_ = nullptr, *missing_ = nullptr, *note_ = nullptr, *text_ = nullptr;
    std::vector<std::pair<std::string, lxw_format*>> numbers_;
};

Unexpected<Problems> no_spreadsheet(const std::string& why) {
    return Unexpected{Problems{{Severity::error, {}, {}, why}}};
}

}  // namespace

bool spreadsheets_are_here() { return true; }

Expected<std::string, Problems> to_xlsx(const std::vector<Sheet>& sheets) {
    if (sheets.empty()) return no_spreadsheet(phrase("there is no table to write"));
    const ScratchFolder folder;
    if (folder.path().empty()) return no_spreadsheet(phrase("no temporary folder can be made"));
    const fs::path file = folder.path() / "tables.xlsx";
    Workbook book(file);
    if (!book.is_open()) return no_spreadsheet(phrase("the spreadsheet cannot be made"));
    const std::vector<std::string> names = sheet_names(sheets);
    bool fine = true;
    for (std::size_t i = 0; i < sheets.size(); ++i) fine = book.add(sheets[i], names[i]) && fine;
    if (!book.close() || !fine) return no_spreadsheet(phrase("the spreadsheet cannot be made"));
    return read_text(file);
}

#else

bool spreadsheets_are_here() { return false; }

Expected<std::string, Problems> to_xlsx(const std::vector<Sheet>&) {
    const std::string why = phrase("this build writes no spreadsheets: it was configured without libxlsxwriter");
    return Unexpected{Problems{{Severity::error, {}, {}, why}}};
}

#endif

}  // namespace plimsoll
