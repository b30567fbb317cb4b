#include "views/explore/layout_table.h"

#include "core/values/knobs/wording.h"
#include "core/answers/search/winner.h"
#include "core/answers/search/fit_first.h"
#include "core/answers/search/wording.h"
#include "views/pages/tiles.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

// A column that shows something of the layout alone.
struct Setting {
    LayoutTable::Column column;
    const char* header;
    const char* tip;
    const char* word;                      // before the value, among what a filter looks at: "TP8"
    double (*key)(const Layout&);
    QString (*name)(const Layout&);        // null: the number
};

QString tensor_name(const Layout& l) {
    const QString degree = QString::number(l.tensor_parallel);
    return l.on_grid() ? QStringLiteral("%1 %2").arg(
               degree, l.tensor_mode == TensorMode::summa_2d ? QStringLiteral("2D") : QStringLiteral("2.5D"))
                       : degree;
}
QString context_name(const Layout& l) {
    const QString degree = QString::number(l.context_parallel);
    return l.context_parallel > 1 && l.context_mode != ContextMode::ring
             ? degree + u' ' + to_qt(name_of(l.context_mode))
             : degree;
}
QString recompute_name(const Layout& l) {
    const QString kind = to_qt(name_of(l.recompute));
    return l.recompute_layers > 0 ? QStringLiteral("%1 of %2").arg(kind).arg(l.recompute_layers) : kind;
}
QString tier_name(const Layout& l) {
    const Offload& o = l.offload;
    const auto in = [&](Tier tier) {
        return o.weights == tier || o.gradients == tier || o.optimizer == tier || o.activations == tier;
    };
    return in(Tier::nvme) ? QStringLiteral("NVMe") : in(Tier::host) ? QStringLiteral("host") : QStringLiteral("none");
}

constexpr Setting settings[] = {
    {LayoutTable::tensor, QT_TR_NOOP("TP"), QT_TR_NOOP("Tensor-parallel ranks"), "TP",
     [](const Layout& l) { return double(l.tensor_parallel); }, tensor_name},
    {LayoutTable::sequence, QT_TR_NOOP("SP"), QT_TR_NOOP("Sequence parallelism"), "SP",
     [](const Layout& l) { return double(l.sequence_parallel); },
     [](const Layout& l) { return l.sequence_parallel ? QObject::tr("on") : QObject::tr("off"); }},
    {LayoutTable::context, QT_TR_NOOP("CP"), QT_TR_NOOP("Context-parallel ranks"), "CP",
     [](const Layout& l) { return double(l.context_parallel); }, context_name},
    {LayoutTable::pipeline, QT_TR_NOOP("PP"), QT_TR_NOOP("Pipeline stages"), "PP",
     [](const Layout& l) { return double(l.pipeline_parallel); }, nullptr},
    {LayoutTable::chunks, QT_TR_NOOP("Chunks"), QT_TR_NOOP("Model chunks of a stage"), "VP",
     [](const Layout& l) { return double(l.virtual_stages); }, nullptr},
    {LayoutTable::replicas, QT_TR_NOOP("DP"), QT_TR_NOOP("Data-parallel replicas"), "DP",
     [](const Layout& l) { return double(l.data_parallel); }, nullptr},
    {LayoutTable::expert, QT_TR_NOOP("EP"), QT_TR_NOOP("Ranks that share the experts"), "EP",
     [](const Layout& l) { return double(l.expert_parallel); }, nullptr},
    {LayoutTable::micro_batch, QT_TR_NOOP("MB"), QT_TR_NOOP("Sequences of a micro-batch"), "MB",
     [](const Layout& l) { return double(l.micro_batch); }, nullptr},
    {LayoutTable::recompute, QT_TR_NOOP("Recompute"), QT_TR_NOOP("What is computed again in the backward pass"),
     "recompute-", [](const Layout& l) { return 1e4 * int(l.recompute) + l.recompute_layers; }, recompute_name},
    {LayoutTable::zero, QT_TR_NOOP("ZeRO"), QT_TR_NOOP("ZeRO stage"), "ZeRO",
     [](const Layout& l) { return double(l.zero_stage); }, nullptr},
    {LayoutTable::schedule, QT_TR_NOOP("Schedule"), QT_TR_NOOP("Pipeline schedule"), "",
     [](const Layout& l) { return double(int(l.schedule)); },
     [](const Layout& l) { return l.pipeline_parallel > 1 ? to_qt(name_of(l.schedule)) : QStringLiteral("-"); }},
    {LayoutTable::offload, QT_TR_NOOP("Offload"), QT_TR_NOOP("The furthest memory that anything is kept in"),
     "offload-",
     [](const Layout& l) { return l.offload.any() ? (tier_name(l) == QStringLiteral("NVMe") ? 2.0 : 1.0) : 0.0; },
     tier_name},
};

const Setting* setting_of(int column) {
    const auto at = std::find_if(std::begin(settings), std::end(settings),
                                 [column](const Setting& s) { return s.column == column; });
    return at == std::end(settings) ? nullptr : at;
}

QString value_of(const Setting& s, const Layout& l) { return s.name ? s.name(l) : QString::number(s.key(l)); }

constexpr struct {
    LayoutTable::Column column;
    const char* header;
    const char* tip;
} others[] = {
    {LayoutTable::rank, QT_TR_NOOP("Rank"), QT_TR_NOOP("By the objective; - for layouts kept for another reason")},
    {LayoutTable::step, QT_TR_NOOP("Step"), QT_TR_NOOP("Time of one optimizer step")},
    {LayoutTable::change, QT_TR_NOOP("vs plan"), QT_TR_NOOP("Time of a step against the current plan's")},
    {LayoutTable::memory, QT_TR_NOOP("Memory"),
     QT_TR_NOOP("Of the fullest device. A sign marks layouts that may not fit")},
    {LayoutTable::energy, QT_TR_NOOP("Energy"), QT_TR_NOOP("Of one step, hosts, network and cooling included")},
    {LayoutTable::remark, QT_TR_NOOP("Remarks"),
     QT_TR_NOOP("Pareto-best: no layout is better in time, energy and memory at once. Tight: less memory stays free "
                "than asked for")},
};

QString change_text(double ratio) { return std::abs(ratio - 1) < 5e-4 ? QStringLiteral("0 %") : delta_text(ratio, 1); }

}  // namespace

void LayoutTable::set_study(std::shared_ptr<const Study> study, const std::optional<Candidate>& current,
                            const Layout& current_layout) {
    beginResetModel();
    study_ = std::move(study);
    current_ = current;
    current_layout_ = current_layout;
    remarks_.clear();
    for (int row = 0; row < rowCount(); ++row) remarks_.push_back(remarks(row));
    endResetModel();
}

QString LayoutTable::remarks(int row) const {
    const Candidate& c = candidate(row);
    QStringList all;
    if (c.layout == current_layout_) all << tr("this plan");
    all << to_qt(say_fit(c.share));
    if (c.tight) all << tr("tight");
    if (study_->fit_first && study_->fit_first->layout == c.layout) all << tr("least model parallelism");
    const auto& front = study_->found.front;
    if (std::find(front.begin(), front.end(), c) != front.end()) all << tr("Pareto-best");
    if (!inside_node(with_layout(study_->plan, c.layout))) all << tr("tensor group leaves the node");
    return all.join(QStringLiteral(", "));
}

int LayoutTable::row_of(const QString& layout) const {
    const std::string wanted = layout.toStdString();
    for (int row = 0; row < rowCount(); ++row)
        if (say_layout(candidate(row).layout) == wanted) return row;
    return -1;
}

bool LayoutTable::is_dull(int column) const {
    const Setting* setting = setting_of(column);
    if (!setting) return column == change && !current_;
    const double usual = setting->key(Layout{});
    return std::all_of(study_->rows.begin(), study_->rows.end(),
                       [&](const Candidate& c) { return setting->key(c.layout) == usual; });
}

QString LayoutTable::text(int row, int column) const {
    const Candidate& c = candidate(row);
    if (const Setting* setting = setting_of(column)) return value_of(*setting, c.layout);
    switch (column) {
        case rank: return row < int(study_->found.top.size()) ? QString::number(row + 1) : QStringLiteral("-");
        case step: return to_qt(say(c.step));
        case change: return current_ ? change_text(c.step / current_->step) : QString();
        case memory: return to_qt(say(c.memory));
        case energy: return to_qt(say(c.energy));
        case remark: return remarks_[row];
        default: return {};
    }
}

QVariant LayoutTable::sort_key(int row, int column) const {
    const Candidate& c = candidate(row);
    if (const Setting* setting = setting_of(column)) return setting->key(c.layout);
    switch (column) {
        case rank: return row;
        case step:
        case change: return c.step / second;
        case memory: return c.memory / byte;
        case energy: return c.energy / joule;
        default: return text(row, column);
    }
}

QString LayoutTable::words(int row) const {
    QStringList all{to_qt(say_layout(candidate(row).layout)), remarks_[row]};
    for (const Setting& s : settings) all << QLatin1String(s.word) + value_of(s, candidate(row).layout);
    return all.join(u' ');
}

QVariant LayoutTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const int row = index.row(), column = index.column();
    switch (role) {
        case Qt::DisplayRole: return text(row, column);
        case Qt::ToolTipRole:
            if (column == memory) return to_qt(say_fit(candidate(row).share));
            [[fallthrough]];
        case Qt::AccessibleDescriptionRole: return to_qt(say_layout(candidate(row).layout));
        case Qt::DecorationRole: {
            const FitVerdict verdict = candidate(row).verdict();
            return column == memory && verdict != FitVerdict::fits ? icon_of(verdict) : QVariant();
        }
        case Qt::TextAlignmentRole: {
            const bool words = column == remark || column == recompute || column == schedule || column == offload
                            || column == sequence;
            return int(words ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
        }
        case WordFilter::sort_role: return sort_key(row, column);
        case WordFilter::words_role: return words(row);
        default: return {};
    }
}

QVariant LayoutTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) return {};
    const bool tip = role == Qt::ToolTipRole;
    if (const Setting* s = setting_of(section)) return tr(tip ? s->tip : s->header);
    for (const auto& o : others)
        if (o.column == section) return tr(tip ? o.tip : o.header);
    return {};
}

namespace {

constexpr double shown = 0.0005;   // of the step; smaller changes are no reason

QString row_of(const QString& label, const QString& before, const QString& after, const QString& change,
               const char* tag = "td") {
    const QLatin1String name(tag);
    QString html = QStringLiteral("<tr><%1 align=\"left\" width=\"37%\">%2</%1>").arg(name, label.toHtmlEscaped());
    for (const QString& cell : {before, after, change})
        html += QStringLiteral("<%1 align=\"right\" width=\"21%\">%2</%1>")
                    .arg(name, cell.toHtmlEscaped().replace(u' ', QChar::Nbsp));
    return html + QStringLiteral("</tr>");
}

template <class Q>
QString signed_text(Q change) {
    if (!(change < Q{}) && !(change > Q{})) return QStringLiteral("0");
    return (change < Q{} ? QStringLiteral("\u2212") : QStringLiteral("+")) + to_qt(say(max(change, -change)));
}

template <class Q>
QString line(const QString& label, Q before, Q after, const char* tag = "td") {
    return row_of(label, to_qt(say(before)), to_qt(say(after)), signed_text(after - before), tag);
}

QString memory_rows(const MemoryUse& before, const MemoryUse& after) {
    QString html = line(QObject::tr("Memory"), before.total(), after.total(), "th");
    for (const auto& part : memory_parts) {
        const Bytes a = before.*part.value, b = after.*part.value;
        if (max(a - b, b - a) > shown * before.total()) html += line(worded(part.label), a, b);
    }
    return html;
}

}  // namespace

std::span<const Objective> objectives() {
    static constexpr Objective all[] = {Objective::time, Objective::energy, Objective::memory};
    return all;
}

QString objective_label(Objective o) {
    switch (o) {
        case Objective::time: return QObject::tr("Time of a step");
        case Objective::energy: return QObject::tr("Energy of a step");
        case Objective::cost: return QObject::tr("Cost of the run");
        case Objective::node_hours: return QObject::tr("Node-hours");
        case Objective::memory: return QObject::tr("Memory");
    }
    return {};
}

QString summary_of(const Study& s, Seconds took) {
    const SearchResult& r = s.found;
    QString text = QObject::tr("%1 layouts of the %2 space: %3 can be computed, %4 fit or may fit (%5).")
                       .arg(grouped(double(r.count)), worded(r.space), grouped(double(r.feasible)),
                            grouped(double(r.fits)), to_qt(say(took)));
    if (r.cancelled) text = QObject::tr("Cancelled: this is what was found up to then. ") + text;
    if (r.top.empty() && r.cancelled) return text;
    if (r.top.empty())
        return text
             + QObject::tr(" <b>Nothing fits</b> on %1 devices; the nearest layouts are listed.")
                   .arg(grouped(s.plan.layout.devices));
    text += QObject::tr(" Best: %1, %2%3.")
                .arg(to_qt(say_layout(r.top.front().layout)).toHtmlEscaped(),
                     to_qt(say_value(r.top.front(), s.options.objective)),
                     r.top.front().tight ? QObject::tr(", tight: none leaves the headroom") : QString());
    if (r.tight > 0 && !r.top.front().tight)
        text += QObject::tr(" %1 layouts that leave less than %2 % headroom are listed after those that leave more.")
                    .arg(grouped(double(r.tight)), grouped(100 * s.options.headroom.share));
    if (const std::string sure = say_surely(r); !sure.empty()) text += u' ' + to_qt(sure).toHtmlEscaped();
    return s.left_out.empty() ? text : text + QObject::tr(" Not tried: %1.").arg(to_qt(s.left_out).toHtmlEscaped());
}

QString difference_html(const Scenario& plan, const Layout& layout, const Layout& reference, const QString& versus) {
    const Scenario there = with_layout(plan, reference), here = with_layout(plan, layout);
    const Outcome before = estimate(there), after = estimate(here);
    if (!after) return {};
    QString html = QStringLiteral("<b>%1</b>").arg(to_qt(say_layout(layout)).toHtmlEscaped());
    if (layout == reference)
        return html
             + QObject::tr("<p>This is %1. Select another layout to see why it is faster or slower.</p>").arg(versus);
    if (!before)
        return html + QObject::tr("<p>%1 cannot be computed, so there is nothing to compare with.</p>").arg(versus);
    const Seconds was = before->step.total(), is = after->step.total();
    const std::vector<PartChange> parts = changes(there, here);
    html += QObject::tr("<p>Against %1 (%2): %3.</p><table width=\"100%\" cellspacing=\"0\" cellpadding=\"1\">")
                .arg(versus, to_qt(say_layout(reference)).toHtmlEscaped(),
                     with_units_kept(to_qt(say_changes(was, is, parts))).toHtmlEscaped());
    const bool plan_itself = versus == QObject::tr("the current plan");
    html += row_of(QObject::tr("Part"), plan_itself ? QObject::tr("This plan") : QObject::tr("Pinned"),
                   QObject::tr("Candidate"), QObject::tr("Change"), "th");
    html += line(QObject::tr("Step"), was, is, "th");
    for (const PartChange& c : parts)
        if (max(c.to - c.from, c.from - c.to) > shown * was) html += line(worded(c.label), c.from, c.to);
    html += memory_rows(before->worst(), after->worst());
    html += line(QObject::tr("Energy of a step"), before->energy.total(), after->energy.total(), "th");
    return html + QStringLiteral("</table>");
}

}  // namespace plimsoll
