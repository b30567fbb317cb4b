#include "core/answers/propose/sheet.h"

#include "core/values/basics/csv.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/text.h"

namespace plimsoll {

namespace {

std::string replaced(std::string_view text, std::string (*one)(char)) {
    std::string out;
    for (const char c : visible(one_line(std::string(text)))) out += one(c);
    return out;
}

std::string for_markdown(char c) {
    switch (c) {
    case '|': case '*': case '_': case '`': case '[': case ']': case '\\': case '#': return std::string("\\") + c;
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    default: return std::string(1, c);
    }
}

std::string for_latex(char c) {
    switch (c) {
    case '&': case '%': case '$': case '#': case '_': case '{': case '}': return std::string("\\") + c;
    case '~': return "\\textasciitilde{}";
    case '^': return "\\textasciicircum{}";
    case '\\': return "\\textbackslash{}";
    case '<': return "\\textless{}";
    case '>': return "\\textgreater{}";
    default: return std::string(1, c);
    }
}

std::string for_html(char c) {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return std::string(1, c);
    }
}

// The cell of a column; an empty one where a row is short.
const std::string& cell(const std::vector<std::string>& row, std::size_t i) {
    static const std::string none;
    return i < row.size() ? row[i] : none;
}

std::string line_of(const std::vector<std::string>& cells, const char* begin, const char* between, const char* end) {
    return begin + joined(cells, between) + end;
}

}  // namespace

std::string markdown_text(std::string_view text) { return replaced(text, for_markdown); }
std::string latex_text(std::string_view text) { return replaced(text, for_latex); }
std::string html_text(std::string_view text) { return replaced(text, for_html); }

std::string red_markdown(std::string_view text) { return "**MISSING: " + markdown_text(text) + "**\n"; }
std::string red_latex(std::string_view text) { return "\\textcolor{red}{MISSING: " + latex_text(text) + "}\\par\n"; }
std::string red_html(std::string_view text) {
    return "<p style=\"color:#c00000\"><b>MISSING: " + html_text(text) + "</b></p>\n";
}

std::string heading_of(const SheetColumn& c) { return c.unit.empty() ? c.name : c.name + ", " + c.unit; }

std::string to_markdown(const Sheet& s) {
    std::string out = "### " + s.id + ". " + markdown_text(s.title) + "\n\n";
    for (const std::string& m : s.missing) out += red_markdown(m) + '\n';
    if (!s.rows.empty()) {
        std::vector<std::string> heads, rules;
        for (const SheetColumn& c : s.columns) {
            heads.push_back(markdown_text(heading_of(c)));
            rules.push_back(c.number ? "---:" : "---");
        }
        out += line_of(heads, "| ", " | ", " |\n") + line_of(rules, "| ", " | ", " |\n");
        for (const auto& row : s.rows) {
            std::vector<std::string> cells;
            for (std::size_t i = 0; i < s.columns.size(); ++i) cells.push_back(markdown_text(cell(row, i)));
            out += line_of(cells, "| ", " | ", " |\n");
        }
        out += '\n';
    }
    for (const std::string& n : s.notes) out += markdown_text(n) + "\n\n";
    if (!s.dated.empty()) out += "*" + markdown_text(s.dated) + "*\n";
    return out;
}

std::string to_csv(const Sheet& s) {
    std::string out = csv_comment(s.id + ". " + s.title);
    if (!s.dated.empty()) out += csv_comment(s.dated);
    for (const std::string& m : s.missing) out += csv_comment("MISSING: " + m);
    for (const std::string& n : s.notes) out += csv_comment(n);
    CsvRow head;
    for (const SheetColumn& c : s.columns) head.text(heading_of(c));
    out += head.line();
    for (const auto& row : s.rows) {
        CsvRow line;
        for (std::size_t i = 0; i < s.columns.size(); ++i)
            if (cell(row, i).empty()) line.empty();
            else line.text(cell(row, i));
        out += line.line();
    }
    return out;
}

std::string to_latex(const Sheet& s) {
    std::string out = "% " + s.id + ", " + visible(one_line(s.dated)) + "\n";
    for (const std::string& m : s.missing) out += red_latex(m);
    if (!s.rows.empty()) {
        std::string kinds;
        std::vector<std::string> heads;
        for (const SheetColumn& c : s.columns) {
            kinds += c.number ? 'r' : 'l';
            heads.push_back(latex_text(heading_of(c)));
        }
        out += "\\begin{table}[htbp]\\centering\\small\n\\caption{" + latex_text(s.title) + "}\\label{tab:" + s.slug
             + "}\n\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{\\begin{tabular}{" + kinds
             + "}\n\\toprule\n" + joined(heads, " & ") + " \\\\\n\\midrule\n";
        for (const auto& row : s.rows) {
            std::vector<std::string> cells;
            for (std::size_t i = 0; i < s.columns.size(); ++i) cells.push_back(latex_text(cell(row, i)));
            out += joined(cells, " & ") + " \\\\\n";
        }
        out += "\\bottomrule\n\\end{tabular}}\n\\end{table}\n";
    }
    for (const std::string& n : s.notes) out += latex_text(n) + "\\par\n";
    return out;
}

std::string to_html(const Sheet& s) {
    std::string out = "<h3 id=\"" + s.id + "\">" + s.id + ". " + html_text(s.title) + "</h3>\n";
    for (const std::string& m : s.missing) out += red_html(m);
    if (!s.rows.empty()) {
        out += "<table border=\"1\" cellspacing=\"0\" cellpadding=\"3\">\n<tr>";
        for (const SheetColumn& c : s.columns) out += "<th>" + html_text(heading_of(c)) + "</th>";
        out += "</tr>\n";
        for (const auto& row : s.rows) {
            out += "<tr>";
            for (std::size_t i = 0; i < s.columns.size(); ++i)
                out += std::string(s.columns[i].number ? "<td align=\"right\">" : "<td>") + html_text(cell(row, i))
                     + "</td>";
            out += "</tr>\n";
        }
        out += "</table>\n";
    }
    for (const std::string& n : s.notes) out += "<p>" + html_text(n) + "</p>\n";
    return out;
}

}  // namespace plimsoll
