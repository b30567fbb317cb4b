#include "views/evidence/run_table.h"

#include "core/values/basics/text.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QApplication>
#include <QPalette>

#include <cmath>
#include <limits>

namespace plimsoll {

namespace {

QString kind(const QString& name, const ErrorSummary& s) {
    if (s.counted() == 0) return QObject::tr("%1: none of %2 rows scored").arg(name, grouped(s.rows));
    return QObject::tr("%1: %2 runs, median %3, bias %4")
        .arg(name, grouped(s.counted()), share_text(s.median_absolute), signed_share(s.bias));
}

QString share_or_none(const std::optional<double>& share) { return share ? share_text(*share) : QObject::tr("none"); }

}  // namespace

QString record_line(const TrackRecord& r) {
    if (r.time.counted() == 0) return QObject::tr("No published runs to check against");
    if (r.headline.dense.left_out)
        return QObject::tr("%1 published runs, %2 off where a source had no part%3")
            .arg(grouped(r.time.counted()), share_text(*r.headline.dense.left_out),
                 r.stale.empty() ? QString() : QObject::tr(" (of other presets)"));
    return QObject::tr("%1 published runs, median error %2, worst %3")
        .arg(grouped(r.time.counted()), share_text(r.time.median_absolute), signed_share(r.time.worst));
}

namespace {

// Each source predicted by the others: what a plan of one's own has to expect.
QString unseen_summary(const TrackRecord& r) {
    const HeadlineScore& h = r.headline;
    if (!h.dense.left_out) return {};
    QString text = QObject::tr("Each source predicted without its own rows, median over sources: step time %1, memory "
                               "%2, mixtures of experts %3. ")
                       .arg(share_or_none(h.dense.left_out), share_or_none(h.memory.left_out),
                            share_or_none(h.experts.left_out));
    if (!r.stale.empty()) text += to_qt(r.stale).toHtmlEscaped() + QStringLiteral(". ");
    return text;
}

// "Dense models by what another source had measured: ...; both measured, never together (9.5 % off, range 21 %); ..."
QString known_summary(const std::vector<KnowledgeSummary>& known) {
    QStringList each;
    for (const KnowledgeSummary& k : known)
        if (!k.experts && k.knowledge)
            each.append(QObject::tr("%1 (%2 off, range %3)")
                            .arg(to_qt(say_known(k)), to_qt(percent(k.error, 1)), to_qt(percent(k.band, 0))));
    if (each.isEmpty()) return {};
    return QObject::tr("Dense models by what another source had measured: %1. ")
        .arg(each.join(QStringLiteral("; ")));
}

}  // namespace

QString record_summary(const TrackRecord& r, const std::vector<KnowledgeSummary>& known) {
    QString text = QStringLiteral("<b>%1</b>. ").arg(record_line(r).toHtmlEscaped());
    if (!r.time.worst_id.empty())
        text += QObject::tr("Worst run: %1, %2. ")
                    .arg(to_qt(r.time.worst_id).toHtmlEscaped(), signed_share(r.time.worst));
    text += unseen_summary(r);
    text += known_summary(known).toHtmlEscaped();
    text += QObject::tr("With the presets as they ship: ");
    text += kind(QObject::tr("Dense models"), r.dense) + QStringLiteral(". ");
    if (r.experts.rows > 0) text += kind(QObject::tr("Mixtures of experts"), r.experts) + QStringLiteral(". ");
    text += QObject::tr(
                "Median over %1 sources of each one's mean error: step time %2, memory %3. %4 rows are not scored; "
                "each says why.")
                .arg(r.score.sources.size())
                .arg(share_or_none(r.score.dense), share_or_none(r.score.memory), grouped(r.time.excluded));
    for (const Problem& p : r.problems) text += QStringLiteral("<br>") + to_qt(say(Problems{p})).toHtmlEscaped();
    return text;
}

namespace {

constexpr struct {
    const char* quantity;
    const char* unit;
} units[] = {{"iteration_s", "s"},
             {"tokens_per_s_per_device", "tokens/s"},
             {"tflops_per_device", "TFLOP/s"},
             {"memory_gb_per_device", "GB"},
             {"memory_GiB_per_device", "GiB"},
             {"device_hours", "device-hours"},
             {"train_days", "days"},
             {"energy_mwh", "MWh"},
             {"power_w_per_device", "W"}};

constexpr double last = std::numeric_limits<double>::infinity();  // what has no number sorts to the end

bool counts(const RunLine& l) { return l.row->excluded.empty(); }
bool has_memory(const RunLine& l) { return l.memory && l.memory->excluded.empty(); }

QString cell(const RunLine& l, int column) {
    const ScoredRow& r = *l.row;
    switch (column) {
        case RunTable::run: return to_qt(r.id);
        case RunTable::model: return to_qt(r.plan.model.name);
        case RunTable::published: return published_value(r.quantity, r.published);
        case RunTable::predicted: return published_value(r.quantity, r.predicted);
        case RunTable::error: return r.quantity.empty() ? QObject::tr("not scored") : signed_share(r.error);
        case RunTable::memory_error: return has_memory(l) ? signed_share(l.memory->error) : QString();
        case RunTable::machine: return to_qt(r.plan.machine.name.empty() ? r.family : r.plan.machine.name);
        case RunTable::devices: return r.plan.machine.name.empty() ? QString() : grouped(r.plan.layout.devices);
        case RunTable::layout: return r.plan.machine.name.empty() ? QString() : layout_words(r.plan);
        case RunTable::source: return l.own ? QObject::tr("%1 (yours)").arg(to_qt(r.source)) : to_qt(r.source);
        case RunTable::remark: break;
        default: return {};
    }
    if (!counts(l)) return worded_name(r.excluded);
    return r.filled.empty()     ? QString()
         : r.filled.size() == 1 ? QObject::tr("1 assumption")
                                : QObject::tr("%1 assumptions").arg(r.filled.size());
}

// Errors sort by size: the worst misses come together.
QVariant sort_key(const RunLine& l, int column) {
    switch (column) {
        case RunTable::published: return l.row->quantity.empty() ? last : l.row->published;
        case RunTable::predicted: return l.row->quantity.empty() ? last : l.row->predicted;
        case RunTable::error: return counts(l) ? std::abs(l.row->error) : last;
        case RunTable::memory_error: return has_memory(l) ? std::abs(l.memory->error) : last;
        case RunTable::devices: return double(l.row->plan.layout.devices);
        default: return cell(l, column);
    }
}

QString words_of(const RunLine& l) {
    QStringList all;
    for (int c = 0; c < RunTable::columns; ++c) all.append(cell(l, c));
    return (all << to_qt(l.row->family)).join(QLatin1Char(' '));
}

std::vector<const ScoredRow*> with_figures(const RunLine& l) {
    std::vector<const ScoredRow*> all{l.row, l.memory};
    all.insert(all.end(), l.others.begin(), l.others.end());
    std::erase_if(all, [](const ScoredRow* r) { return !r || r->quantity.empty(); });
    return all;
}

QString list_of(const std::vector<std::string>& sentences) {
    QString html = QStringLiteral("<ul style=\"margin:2px 0 2px -22px\">");
    for (const std::string& s : sentences) html += QStringLiteral("<li>%1</li>").arg(to_qt(s).toHtmlEscaped());
    return html + QStringLiteral("</ul>");
}

}  // namespace

QString published_value(const std::string& quantity, double value) {
    if (quantity.empty()) return {};
    if (quantity == "mfu" || quantity == "hfu")
        return grouped(100 * value) + QStringLiteral(" % ") + to_qt(quantity).toUpper();
    for (const auto& u : units)
        if (quantity == u.quantity) return grouped(value) + u' ' + QLatin1String(u.unit);
    return grouped(value) + u' ' + to_qt(quantity);
}

QString layout_words(const Scenario& s) {
    const Layout& l = s.layout;
    QStringList degrees;
    const auto add = [&](const char* name, int degree) {
        if (degree > 1) degrees.append(QStringLiteral("%1 %2").arg(QLatin1String(name)).arg(degree));
    };
    add("TP", l.tensor_parallel);
    add("CP", l.context_parallel);
    add("PP", l.pipeline_parallel);
    add("EP", l.expert_parallel);
    add("DP", l.data_parallel);
    QString words = degrees.isEmpty() ? QObject::tr("1 device") : degrees.join(QStringLiteral(" \u00d7 "));
    if (l.zero_stage > 0) words += QStringLiteral(", ZeRO %1").arg(l.zero_stage);
    return words + QObject::tr(", micro-batch %1").arg(l.micro_batch);
}

QString details_of(const RunLine& l) {
    const ScoredRow& r = *l.row;
    QString html = QStringLiteral("<b>%1</b>").arg(to_qt(r.id).toHtmlEscaped());
    if (!counts(l)) html += QObject::tr(" is not scored: %1").arg(worded_name(r.excluded).toHtmlEscaped());
    QStringList figures;
    for (const ScoredRow* f : with_figures(l))
        figures.append(QObject::tr("published %1, predicted %2 (%3)")
                           .arg(published_value(f->quantity, f->published), published_value(f->quantity, f->predicted),
                                signed_share(f->error)));
    html += (figures.isEmpty() ? QString() : QStringLiteral(": ") + figures.join(QStringLiteral("; ")))
          + QStringLiteral(".");
    if (l.published && !l.published->citation.empty())
        html += QStringLiteral("<br><i>%1</i>").arg(to_qt(l.published->citation).toHtmlEscaped());
    if (!r.filled.empty()) html += QObject::tr("<br>The source leaves out, so this was assumed:") + list_of(r.filled);
    return html;
}

std::optional<Scenario> plan_of(const RunLine& l, const Library& library) {
    Scenario plan = l.row->plan;
    if (l.published) {  // the row's own plan came without provenance
        FilledRun run = filled_run(*l.published, row_presets(library));
        if (!run.excluded.empty()) return std::nullopt;
        plan = std::move(run.scenario);
    }
    plan.name = l.row->id;
    return plan;
}

void RunTable::set_lines(std::vector<RunLine> lines) {
    beginResetModel();
    lines_ = std::move(lines);
    endResetModel();
}

void add_lines(std::vector<RunLine>& lines, const std::vector<ScoredRow>& rows, const std::vector<ScoredRow>& memory,
               const std::vector<ScoredRow>& others, const PublishedRows& published, bool own) {
    auto next = memory.begin(), other = others.begin();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        RunLine line{&rows[i], nullptr, {}, i < published.size() ? &published[i] : nullptr, own};
        if (next != memory.end() && next->id == rows[i].id) line.memory = &*next++;
        while (other != others.end() && other->id == rows[i].id) line.others.push_back(&*other++);
        lines.push_back(std::move(line));
    }
}

int RunTable::row_of(const QString& id) const {
    const std::string wanted = id.toStdString();
    for (std::size_t i = 0; i < lines_.size(); ++i)
        if (lines_[i].row->id == wanted) return int(i);
    return -1;
}

QVariant RunTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const RunLine& l = lines_[index.row()];
    switch (role) {
        case Qt::DisplayRole: return cell(l, index.column());
        case Qt::ToolTipRole: return details_of(l);
        case Qt::TextAlignmentRole: {
            const bool number = index.column() == published || index.column() == predicted || index.column() == error
                             || index.column() == memory_error || index.column() == devices;
            return int(number ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
        }
        case Qt::ForegroundRole:
            return counts(l) ? QVariant() : QVariant(QApplication::palette().brush(QPalette::PlaceholderText));
        case WordFilter::sort_role: return sort_key(l, index.column());
        case WordFilter::words_role: return words_of(l);
        default: return {};
    }
}

QVariant RunTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::ToolTipRole) {
        if (section == error)
            return tr("Error of the predicted time of a step: positive is predicted too slow. Sorts by size");
        if (section == memory_error)
            return tr("Error of the predicted device memory, where it was published. Sorts by size");
        return {};
    }
    if (role != Qt::DisplayRole) return {};
    static constexpr const char* headings[columns] = {
        QT_TR_NOOP("Run"),     QT_TR_NOOP("Error"),   QT_TR_NOOP("Published"), QT_TR_NOOP("Predicted"),
        QT_TR_NOOP("Memory"),  QT_TR_NOOP("Model"),   QT_TR_NOOP("Machine"),   QT_TR_NOOP("Devices"),
        QT_TR_NOOP("Layout"),  QT_TR_NOOP("Source"),  QT_TR_NOOP("Remarks")};
    return section >= 0 && section < columns ? tr(headings[section]) : QVariant();
}

RunFilter::RunFilter(RunTable& table, QObject* parent) : WordFilter(table, parent), table_(table) {}

void RunFilter::set_excluded_shown(bool shown) {
    excluded_shown_ = shown;
    invalidateFilter();
}

bool RunFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    if (!excluded_shown_ && !table_.line(row).row->excluded.empty()) return false;
    return WordFilter::filterAcceptsRow(row, parent);
}

SummaryTable::SummaryTable(const QString& group, QWidget* parent)
    : TextTable(
        tr("Errors by %1").arg(group.toLower()),
        {group, tr("Scored"), tr("Mean"), tr("Median"), tr("Bias"), tr("Worst"), tr("Not scored"), tr("Devices")},
        {1, 2, 3, 4, 5, 6}, parent) {
    horizontalHeaderItem(1)->setToolTip(tr("Runs with a prediction"));
    horizontalHeaderItem(2)->setToolTip(tr("Mean of the errors' sizes"));
    horizontalHeaderItem(3)->setToolTip(tr("Median of the errors' sizes"));
    horizontalHeaderItem(4)->setToolTip(tr("Mean of the signed errors: positive is predicted too slow"));
    horizontalHeaderItem(5)->setToolTip(tr("Largest error, with its run"));
}

void SummaryTable::present(const std::vector<ErrorSummary>& groups) {
    setSortingEnabled(false);
    std::vector<QStringList> rows;
    std::vector<double> keys[7];  // of the columns that are numbers
    for (const ErrorSummary& g : groups) {
        const bool any = g.counted() > 0;
        rows.push_back({to_qt(g.name), grouped(g.counted())});
        keys[1].push_back(g.counted());
        const auto add = [&](int column, double key, const QString& text) {
            rows.back() << (any ? text : QString());
            keys[column].push_back(any ? key : -1);
        };
        add(2, g.mean_absolute, to_qt(percent(g.mean_absolute)));
        add(3, g.median_absolute, to_qt(percent(g.median_absolute)));
        add(4, g.bias, signed_share(g.bias));
        add(5, std::abs(g.worst), signed_share(g.worst));
        rows.back() << grouped(g.excluded) << to_qt(g.family);
        keys[6].push_back(g.excluded);
    }
    show_rows(rows);
    for (int column = 1; column < 7; ++column) set_sort_keys(column, keys[column]);
    for (std::size_t i = 0; i < groups.size(); ++i) item(int(i), 5)->setToolTip(to_qt(groups[i].worst_id));
    setSortingEnabled(true);
    sortByColumn(0, Qt::AscendingOrder);
}

KnownTable::KnownTable(QWidget* parent)
    : TextTable(tr("Errors by what another source had measured"),
                {tr("Another source had"), tr("Models"), tr("Error"), tr("Range"), tr("Inside two thirds"),
                 tr("Inside nine tenths"), tr("Sources"), tr("Runs")},
                {2, 3, 4, 5, 6, 7}, parent) {
    horizontalHeaderItem(0)->setToolTip(
        tr("What sources other than a run's own had measured of its stack and device; for mixtures of experts, what "
           "other vendors had"));
    horizontalHeaderItem(2)->setToolTip(
        tr("Median over sources of the mean size of their errors, each predicted without its own rows. It flatters "
           "stacks that one source alone ran: formulas and priors were chosen with its rows in view"));
    horizontalHeaderItem(3)->setToolTip(tr("Either way: meant to hold two runs of three"));
    horizontalHeaderItem(4)->setToolTip(
        tr("Runs inside the range that is meant to hold two of three, all sources alike"));
    horizontalHeaderItem(5)->setToolTip(
        tr("Runs inside the range that is meant to hold nine of ten, all sources alike"));
    stretch(1);   // the first column says what a row is of: it is never cut
}

void KnownTable::present(const std::vector<KnowledgeSummary>& all) {
    std::vector<QStringList> rows;
    for (const KnowledgeSummary& k : all)
        rows.push_back({to_qt(say_known(k)), k.experts ? tr("mixtures") : tr("dense"), to_qt(percent(k.error, 1)),
                        to_qt(percent(k.band, 0)), to_qt(percent(k.two_thirds, 0)), to_qt(percent(k.nine_tenths, 0)),
                        grouped(k.sources), grouped(k.rows)});
    show_rows(rows);
}

RegretTable::RegretTable(QWidget* parent)
    : TextTable(tr("What choosing by prediction costs"),
                {tr("Source"), tr("Median regret"), tr("Mean"), tr("Mean with standstills"), tr("Worst"),
                 tr("Rank correlation"), tr("Sweeps"), tr("Runs"), tr("Apart")},
                {1, 2, 3, 4, 5, 6, 7, 8}, parent) {
    const std::pair<int, QString> tips[] = {
        {1, tr("How much longer the measured run of the layout predicted fastest took than the fastest measured one")},
        {2, tr("Of the regrets, without runs that stood still by chance")},
        {3, tr("Of the regrets, where runs that stood still by chance may be chosen: what whoever ran them paid")},
        {4, tr("Largest regret, with its sweep")},
        {5, tr("Of predicted and measured times within a sweep, median over sweeps: 1 is the same order")},
        {8, tr("Layouts that are not chosen, because such runs stand still at times or are predicted not to fit, and "
               "runs that another run of the same work shows to have stood still by chance")}};
    for (const auto& [column, tip] : tips) horizontalHeaderItem(column)->setToolTip(tip);
}

void RegretTable::present(const std::vector<Sweep>& sweeps) {
    const std::vector<RegretSummary> all = regrets_by_source(sweeps);
    std::vector<QStringList> rows;
    for (const RegretSummary& r : all)
        rows.push_back({worded(r.source), to_qt(percent(r.median)), to_qt(percent(r.mean)),
                        to_qt(percent(r.mean_by_chance)), to_qt(percent(r.worst)),
                        to_qt(fixed(r.rank_correlation, 2)), grouped(r.sweeps), grouped(r.rows), grouped(r.apart)});
    show_rows(rows);
    for (std::size_t i = 0; i < all.size(); ++i) item(int(i), 4)->setToolTip(to_qt(all[i].worst_sweep));
}

}  // namespace plimsoll
