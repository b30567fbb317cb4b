#include "core/answers/propose/sheet.h"

#include "core/values/basics/csv.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <numeric>

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
    case '[': return "{[}";                // behind the end of a row it would be read as a distance
    case '*': return "{*}";
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

// What pdflatex sets without further packages: other letters stop it, and become question marks.
std::string latin(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const unsigned char first = static_cast<unsigned char>(text[i]);
        const std::size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        const std::string letter = text.substr(i, length);
        const bool dash_or_quote = letter.starts_with("\xe2\x80") && (letter[2] == '\x93' || letter[2] == '\x94'
                                   || letter[2] == '\x98' || letter[2] == '\x99' || letter[2] == '\x9c'
                                   || letter[2] == '\x9d');
        const bool western = first < 0x80 || (length == 2 && first >= 0xc3 && first <= 0xc5);
        out += western || dash_or_quote ? letter : "?";
        i += length;
    }
    return out;
}

// Whole numbers as they are read: "3,137,484 and 2,176,482".
std::string grouped(const std::string& text) {
    std::vector<std::string> words = split(text, ' ');
    for (std::string& word : words)
        if (word.find_first_not_of("0123456789") == word.npos) word = in_thousands(word);
    return joined(words, " ");
}

Sheet for_reading(Sheet s) {
    for (auto& row : s.rows)
        for (std::size_t i = 0; i < s.columns.size() && i < row.size(); ++i)
            if (s.columns[i].number) row[i] = grouped(row[i]);
    return s;
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
std::string latex_text(std::string_view text) { return latin(replaced(text, for_latex)); }
std::string html_text(std::string_view text) { return replaced(text, for_html); }

std::string red_markdown(std::string_view text) { return "**MISSING: " + markdown_text(text) + "**\n"; }
std::string red_latex(std::string_view text) { return "\\textcolor{red}{MISSING: " + latex_text(text) + "}\\par\n"; }
std::string red_html(std::string_view text) {
    return "<p style=\"color:#c00000\"><b>MISSING: " + html_text(text) + "</b></p>\n";
}

namespace {

constexpr double wide = 1.14;   // digits and bold letters, in usual ones

// Lines break at spaces and behind hyphens.
double longest_word(const std::string& text) {
    double longest = 0;
    for (const std::string& word : split(text, ' '))
        for (const std::string& part : split(word, '-')) {
            const auto digits = std::count_if(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
            const bool hyphen = part.size() < word.size();
            longest = std::max(longest, double(part.size()) + (wide - 1) * double(digits) + hyphen);
        }
    return longest;
}

}  // namespace

std::vector<double> column_shares(const Sheet& s) {
    constexpr double line = 108, longest_wish = 44, around = 1.4;   // in letters
    std::vector<double> least, wish;
    for (std::size_t i = 0; i < s.columns.size(); ++i) {
        double word = wide * longest_word(heading_of(s.columns[i])), whole = word;
        for (const auto& row : s.rows) {
            word = std::max(word, longest_word(cell(row, i)));
            whole = std::max(whole, double(cell(row, i).size()));
        }
        least.push_back(word + around);
        wish.push_back(std::max(word, std::min(whole, longest_wish)) + around);
    }
    const double needed = std::accumulate(least.begin(), least.end(), 0.0);
    const double wished = std::accumulate(wish.begin(), wish.end(), 0.0);
    const double spare = std::max(0.0, line - needed), part = wished > needed ? spare / (wished - needed) : 0;
    double all = 0;
    for (std::size_t i = 0; i < least.size(); ++i) all += least[i] += std::min(1.0, part) * (wish[i] - least[i]);
    for (double& share : least) share /= all;
    return least;
}

std::string heading_of(const SheetColumn& c) { return c.unit.empty() ? c.name : c.name + ", " + c.unit; }

std::string to_markdown(const Sheet& plain) {
    const Sheet s = for_reading(plain);
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

std::string to_latex(const Sheet& plain) {
    const Sheet s = for_reading(plain);
    std::string out = "% " + s.id + ", " + visible(one_line(s.dated))
                    + "; needs the packages array, booktabs and longtable\n";
    for (const std::string& m : s.missing) out += red_latex(m);
    if (!s.rows.empty()) {
        std::string kinds, head;
        std::vector<std::string> heads;
        const std::vector<double> shares = column_shares(s);
        for (std::size_t i = 0; i < s.columns.size(); ++i) {
            kinds += std::string(">{\\") + (s.columns[i].number ? "raggedleft" : "raggedright")
                   + "\\arraybackslash}p{\\dimexpr " + fixed(shares[i], 4) + "\\linewidth-2\\tabcolsep}";
            heads.push_back(latex_text(heading_of(s.columns[i])));
        }
        head = "\\toprule\n" + joined(heads, " & ") + " \\\\\n\\midrule\n";
        out += "{\\footnotesize\\setlength{\\tabcolsep}{2pt}\n\\begin{longtable}{" + kinds + "}\n\\caption{"
             + latex_text(s.id + ". " + s.title) + "}\\label{tab:" + s.slug + "}\\\\\n" + head + "\\endfirsthead\n"
             + head + "\\endhead\n";
        for (const auto& row : s.rows) {
            std::vector<std::string> cells;
            for (std::size_t i = 0; i < s.columns.size(); ++i) cells.push_back(latex_text(cell(row, i)));
            out += joined(cells, " & ") + " \\\\\n";
        }
        out += "\\bottomrule\n\\end{longtable}}\n";
    }
    for (const std::string& n : s.notes) out += latex_text(n) + "\\par\n";
    return out;
}

std::string to_html(const Sheet& plain) {
    const Sheet s = for_reading(plain);
    std::string out = "<h3 id=\"" + s.id + "\">" + s.id + ". " + html_text(s.title) + "</h3>\n";
    for (const std::string& m : s.missing) out += red_html(m);
    if (!s.rows.empty()) {
        out += "<table border=\"1\" cellspacing=\"0\" cellpadding=\"2\" width=\"100%\">\n<thead><tr>";
        const std::vector<double> shares = column_shares(s);
        for (std::size_t i = 0; i < s.columns.size(); ++i)
            out += "<th width=\"" + fixed(100 * shares[i], 2) + "%\">" + html_text(heading_of(s.columns[i])) + "</th>";
        out += "</tr></thead>\n<tbody>\n";
        for (const auto& row : s.rows) {
            out += "<tr>";
            for (std::size_t i = 0; i < s.columns.size(); ++i)
                out += std::string(s.columns[i].number ? "<td align=\"right\">" : "<td>") + html_text(cell(row, i))
                     + "</td>";
            out += "</tr>\n";
        }
        out += "</tbody></table>\n";
    }
    for (const std::string& n : s.notes) out += "<p>" + html_text(n) + "</p>\n";
    return out;
}

}  // namespace plimsoll
