#include "core/answers/propose/report.h"

#include "core/values/basics/text.h"

#include <algorithm>

namespace plimsoll {

namespace {

const Sheet* sheet_named(const Proposal& p, const std::string& id) {
    const auto found = std::find_if(p.tables.begin(), p.tables.end(), [&](const Sheet& s) { return s.id == id; });
    return found == p.tables.end() ? nullptr : &*found;
}

const ProposalFigure* figure_named(const std::vector<ProposalFigure>& all, const std::string& id) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const ProposalFigure& f) { return f.id == id; });
    return found == all.end() ? nullptr : &*found;
}

// The words of one kind of document.
struct Markup {
    std::string (*text)(std::string_view);
    std::string (*red)(std::string_view);
    std::string (*sheet)(const Sheet&);
    std::string (*heading)(const std::string&);
    std::string (*subheading)(const std::string&);
    std::string (*paragraph)(const std::string&);
};

std::string title_of(const ProposalInput& in) {
    const CampaignPlan& p = in.plans.front();
    return "Proposal to " + in.programme.name + ": " + (p.plan.name.empty() ? p.plan.model.name : p.plan.name);
}

// Where the numbers were read; what nobody read stands in the tables as an estimate.
std::string sources_part(const ProposalInput& in, const Markup& m) {
    if (in.sources.empty()) return {};
    std::string out = m.heading("Sources of the data");
    for (const ProposalSource& s : in.sources)
        out += m.paragraph(m.text("[" + s.key + "] " + s.text + " (" + s.of + ")"));
    return out;
}

template <class Picture>
std::string body_of(const ProposalInput& in, const Proposal& p, const std::vector<ProposalFigure>& figures,
                    const Markup& m, Picture picture) {
    std::string out;
    for (const ProposalSection& section : in.programme.sections) {
        out += m.heading(m.text(section.title));
        for (const std::string& item : section.items) {
            if (item.starts_with("text:")) {
                const TextBlock t = text_block(item.substr(5), in, p);
                if (t.title != section.title) out += m.subheading(m.text(t.title));
                for (const std::string& paragraph : t.paragraphs) out += m.paragraph(m.text(paragraph));
                for (const std::string& missing : t.missing) out += m.red(missing);
            } else if (const Sheet* s = sheet_named(p, item)) {
                out += m.sheet(*s);
            } else if (const ProposalFigure* f = figure_named(figures, item)) {
                if (f->missing.empty()) out += picture(*f);
                else out += m.red(f->id + ", " + f->figure.title + ": " + f->missing);
            }
        }
    }
    return out + sources_part(in, m);
}

const Markup markdown{markdown_text, [](std::string_view t) { return red_markdown(t) + '\n'; },
                      [](const Sheet& s) { return to_markdown(s) + '\n'; },
                      [](const std::string& t) { return "## " + t + "\n\n"; },
                      [](const std::string& t) { return "### " + t + "\n\n"; },
                      [](const std::string& t) { return t + "\n\n"; }};
const Markup html{html_text, red_html, to_html, [](const std::string& t) { return "<h2>" + t + "</h2>\n"; },
                  [](const std::string& t) { return "<h3>" + t + "</h3>\n"; },
                  [](const std::string& t) { return "<p>" + t + "</p>\n"; }};
const Markup latex{latex_text, red_latex, to_latex, [](const std::string& t) { return "\\section{" + t + "}\n"; },
                   [](const std::string& t) { return "\\subsection{" + t + "}\n"; },
                   [](const std::string& t) { return t + "\\par\n"; }};

// "Progress report, at most 3 pages".
std::string with_limits(const ProgrammeDocument& d) {
    std::string one = d.name;
    if (d.pages > 0) one += ", at most " + shortest(d.pages) + (d.pages == 1 ? " page" : " pages");
    if (d.megabytes > 0) one += ", at most " + shortest(d.megabytes) + " MB";
    return one;
}

}  // namespace

std::string documents_of(const Programme& p) {
    std::vector<std::string> all;
    for (const ProgrammeDocument& d : p.documents) {
        std::string one = with_limits(d);
        if (!d.note.empty()) one += " (" + d.note + ")";
        all.push_back(one);
    }
    return all.empty() ? std::string() : "Documents: " + joined(all, "; ") + '.';
}

std::string report_markdown(const ProposalInput& in, const Proposal& p, const std::vector<ProposalFigure>& figures) {
    std::string out = "# " + markdown_text(title_of(in)) + "\n\n*" + markdown_text(say_worth(in.programme)) + "*\n\n";
    if (const std::string documents = documents_of(in.programme); !documents.empty())
        out += markdown_text(documents) + "\n\n";
    if (const std::string changed = hypothetical_machines(in); !changed.empty())
        out += "**" + markdown_text(changed) + "**\n\n";
    if (!in.programme.note.empty()) out += "Of the profile: " + markdown_text(in.programme.note) + "\n\n";
    out += body_of(in, p, figures, markdown, [](const ProposalFigure& f) {
        return "**" + f.id + ". " + markdown_text(f.figure.title) + ".** " + markdown_text(f.figure.caption)
             + " Data: figures/" + f.id + ".csv\n\n";
    });
    return out;
}

std::string report_html(const ProposalInput& in, const Proposal& p, const std::vector<ProposalFigure>& figures,
                        const std::string& pictures) {
    const std::string dated = html_text(say_date(in.programme));
    std::string out = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>"
                    + html_text(title_of(in)) + "</title>\n<style>body{font-family:sans-serif;max-width:60em;"
                      "margin:2em auto}table{border-collapse:collapse;width:100%}thead{display:table-header-group}"
                      "tr,img{page-break-inside:avoid}h2,h3{page-break-after:avoid}.dated{position:fixed;bottom:0;"
                      "left:0;right:0;text-align:center;background:white;font-size:80%}</style></head><body>\n"
                      "<div class=\"dated\">"
                    + dated + "</div>\n<h1>" + html_text(title_of(in)) + "</h1>\n<p><i>"
                    + html_text(say_worth(in.programme)) + "</i></p>\n";
    if (const std::string documents = documents_of(in.programme); !documents.empty())
        out += "<p>" + html_text(documents) + "</p>\n";
    if (const std::string changed = hypothetical_machines(in); !changed.empty())
        out += "<p><b>" + html_text(changed) + "</b></p>\n";
    if (!in.programme.note.empty()) out += "<p>Of the profile: " + html_text(in.programme.note) + "</p>\n";
    out += body_of(in, p, figures, html, [&](const ProposalFigure& f) {
        const std::string caption = "<b>" + f.id + ". " + html_text(f.figure.title) + ".</b> "
                                  + html_text(f.figure.caption);
        if (pictures.empty()) return "<p>" + caption + " Data: figures/" + f.id + ".csv</p>\n";
        return "<p><img src=\"figures/" + f.id + "." + pictures + "\" alt=\"" + html_text(f.figure.caption)
             + "\" width=\"620\"></p>\n<p>" + caption + "</p>\n";
    });
    return out + "</body></html>\n";
}

std::string report_latex(const ProposalInput& in, const Proposal& p, const std::vector<ProposalFigure>& figures) {
    std::string out = "\\documentclass[11pt,a4paper]{article}\n\\usepackage[T1]{fontenc}\n"
                      "\\usepackage[utf8]{inputenc}\n"
                      "\\usepackage{array,booktabs,longtable,graphicx,xcolor}\n\\usepackage[margin=25mm]{geometry}\n"
                      "\\pagestyle{myheadings}\n\\markright{" + latex_text(say_date(in.programme))
                    + "}\n\\setlength{\\parindent}{0pt}\\setlength{\\parskip}{4pt}\n\\begin{document}\n"
                      "{\\Large\\bfseries " + latex_text(title_of(in)) + "\\par}\n\\textit{"
                    + latex_text(say_worth(in.programme)) + "}\\par\n";
    if (const std::string documents = documents_of(in.programme); !documents.empty())
        out += latex_text(documents) + "\\par\n";
    if (const std::string changed = hypothetical_machines(in); !changed.empty())
        out += "\\textbf{" + latex_text(changed) + "}\\par\n";
    if (!in.programme.note.empty()) out += "Of the profile: " + latex_text(in.programme.note) + "\\par\n";
    Markup parts = latex;
    parts.sheet = [](const Sheet& s) { return "\\input{tables/" + s.id + "}\n"; };
    out += body_of(in, p, figures, parts, [](const ProposalFigure& f) {
        return "\\begin{figure}[htbp]\\centering\n\\IfFileExists{figures/" + f.id
             + ".pdf}{\\includegraphics[width=\\linewidth]{figures/" + f.id + "}}{(figures/" + f.id
             + ".csv)}\n\\caption{" + latex_text(f.figure.title) + ". " + latex_text(f.figure.caption)
             + "}\n\\end{figure}\n";
    });
    return out + "\\end{document}\n";
}

// ---- The checklist

namespace {

bool is_filled(const std::string& cell) { return !cell.empty() && cell != "unknown" && cell != "never"; }

// Rows that sum up or stand for no run have no cell where nothing adds up.
bool is_summary(const std::vector<std::string>& row) {
    return row.front() == "all" || lower_case(row.front()) == "contingency";
}

// What a column or a row of that name lacks.
std::string lack_of(const Sheet& s, const std::string& part) {
    const auto column = std::find_if(s.columns.begin(), s.columns.end(), [&](const SheetColumn& c) {
        return c.name == part;
    });
    const auto has = [](const std::vector<std::string>& row, std::size_t i) {
        return i < row.size() && is_filled(row[i]);
    };
    if (column != s.columns.end()) {
        const auto i = std::size_t(column - s.columns.begin());
        const bool whole = !s.rows.empty() && std::all_of(s.rows.begin(), s.rows.end(), [&](const auto& row) {
            return is_summary(row) || has(row, i);
        });
        return whole ? std::string() : s.id + ": the column \"" + part + "\" is not filled";
    }
    const auto row = std::find_if(s.rows.begin(), s.rows.end(), [&](const auto& r) { return r.front() == part; });
    if (row == s.rows.end()) return s.id + " has no \"" + part + "\"";
    return has(*row, 1) ? std::string() : s.id + ": the row \"" + part + "\" is not filled";
}

// A part of another table has that in front: "T06:efficiency".
std::vector<std::string> lacks_of(const Proposal& p, const Sheet& s, const std::vector<std::string>& parts) {
    std::vector<std::string> all = s.missing;
    if (s.rows.empty() && all.empty()) all.push_back(s.id + " is empty");
    for (const std::string& part : parts) {
        const bool elsewhere = part.size() > 4 && part[0] == 'T' && part[3] == ':';
        const Sheet* of = elsewhere ? sheet_named(p, part.substr(0, 3)) : &s;
        if (elsewhere && of) all.insert(all.end(), of->missing.begin(), of->missing.end());
        if (!of) all.push_back("the pack has no " + part.substr(0, 3));
        else if (!of->rows.empty())
            if (const std::string lack = lack_of(*of, elsewhere ? part.substr(4) : part); !lack.empty())
                all.push_back(lack);
    }
    return all;
}

std::vector<std::string> lacks_of(const ProposalFigure& f, const std::vector<std::string>& parts) {
    if (!f.missing.empty()) return {f.missing};
    if (f.figure.series.empty()) return {f.id + " is empty"};
    std::vector<std::string> all;
    for (const std::string& part : parts)
        if (std::none_of(f.figure.series.begin(), f.figure.series.end(), [&](const Series& s) {
                return s.id == part && !s.y.empty();
            }))
            all.push_back(f.id + " does not show \"" + part + "\"");
    return all;
}

std::vector<std::string> lacks_of(const TextBlock& t) {
    if (t.paragraphs.empty() && t.missing.empty()) return {"the text \"" + t.id + "\" is empty"};
    return t.missing;
}

}  // namespace

std::vector<CheckedRequirement> checked(const ProposalInput& in, const Proposal& p,
                                        const std::vector<ProposalFigure>& figures) {
    std::vector<CheckedRequirement> all;
    for (const Requirement& r : in.programme.requirements) {
        CheckedRequirement c{r, Met::by_applicant, {}};
        if (r.met_by.starts_with("text:")) c.lacks = lacks_of(text_block(r.met_by.substr(5), in, p));
        else if (const Sheet* s = sheet_named(p, r.met_by)) c.lacks = lacks_of(p, *s, r.parts);
        else if (const ProposalFigure* f = figure_named(figures, r.met_by)) c.lacks = lacks_of(*f, r.parts);
        else if (!r.met_by.empty()) c.lacks = {"the pack has no " + r.met_by};
        if (!r.met_by.empty()) c.met = c.lacks.empty() ? Met::met : Met::missing;
        all.push_back(std::move(c));
    }
    return all;
}

std::string say_length(const ProposalInput& in, const Proposal& p) {
    double pages = 0;
    for (const ProposalSection& section : in.programme.sections)
        for (const std::string& item : section.items) {
            if (item.starts_with('T')) pages += 1.0 / 4;
            if (item.starts_with('F')) pages += 1.0 / 3;
            if (!item.starts_with("text:")) continue;
            for (const std::string& paragraph : text_block(item.substr(5), in, p).paragraphs)
                pages += double(split(paragraph, ' ').size()) / 500;
        }
    return "The report's sections are about " + fixed(pages, 1)
         + " pages: 500 words a page, a quarter for a table, a third for a figure.";
}

std::string checklist_markdown(const ProposalInput& in, const Proposal& p, const std::vector<CheckedRequirement>& all) {
    std::string out = "# Checklist\n\n*" + markdown_text(say_worth(in.programme)) + "*\n\n";
    if (const std::string changed = hypothetical_machines(in); !changed.empty())
        out += "**" + markdown_text(changed) + "**\n\n";
    for (const CheckedRequirement& c : all) {
        const char* box = c.met == Met::met ? "- [x] met" : c.met == Met::missing ? "- [ ] MISSING" : "- [ ] by you";
        out += std::string(box) + ": " + markdown_text(c.requirement.text);
        if (!c.requirement.met_by.empty()) out += " (" + markdown_text(c.requirement.met_by) + ")";
        out += "\n  Source: " + markdown_text(c.requirement.source) + "\n";
        for (const std::string& l : c.lacks) out += "  - " + red_markdown(l);
    }
    out += "- " + say_length(in, p) + '\n';
    for (const ProgrammeDocument& d : in.programme.documents)
        if (d.pages > 0 || d.megabytes > 0) out += "- [ ] by you: " + markdown_text(with_limits(d)) + '\n';
    if (!in.programme.note.empty()) out += "\n" + markdown_text(in.programme.note) + "\n";
    return out;
}

}  // namespace plimsoll
