#include "views/layouts/layout_table.h"

#include "core/answers/explain/wording.h"
#include "core/answers/search/fit_first.h"
#include "core/answers/search/wording.h"
#include "views/plan/text.h"

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

QString named(std::string_view name) { return QString::fromUtf8(name.data(), int(name.size())); }

QString tensor_name(const Layout& l) {
    const QString degree = QString::number(l.tensor_parallel);
    return l.on_grid() ? QStringLiteral("%1 %2").arg(degree, l.tensor_mode == TensorMode::summa_2d ? QStringLiteral("2D") : QStringLiteral("2.5D")) : degree;
}
QString context_name(const Layout& l) {
    const QString degree = QString::number(l.context_parallel);
    return l.context_parallel > 1 && l.context_mode != ContextMode::ring ? degree + u' ' + named(name_of(l.context_mode)) : degree;
}
QString recompute_name(const Layout& l) {
    const QString kind = named(name_of(l.recompute));
    return l.recompute_layers > 0 ? QStringLiteral("%1 of %2").arg(kind).arg(l.recompute_layers) : kind;
}
QString tier_name(const Layout& l) {
    const Offload& o = l.offload;
    const auto in = [&](Tier tier) { return o.weights == tier || o.gradients == tier || o.optimizer == tier || o.activations == tier; };
    return in(Tier::nvme) ? QStringLiteral("NVMe") : in(Tier::host) ? QStringLiteral("host") : QStringLiteral("none");
}

constexpr Setting settings[] = {
    {LayoutTable::tensor, QT_TR_NOOP("TP"), QT_TR_NOOP("Tensor-parallel ranks"), "TP", [](const Layout& l) { return double(l.tensor_parallel); }, tensor_name},
    {LayoutTable::sequence, QT_TR_NOOP("SP"), QT_TR_NOOP("Sequence parallelism"), "SP", [](const Layout& l) { return double(l.sequence_parallel); },
     [](const Layout& l) { return l.sequence_parallel ? QObject::tr("on") : QObject::tr("off"); }},
    {LayoutTable::context, QT_TR_NOOP("CP"), QT_TR_NOOP("Context-parallel ranks"), "CP", [](const Layout& l) { return double(l.context_parallel); }, context_name},
    {LayoutTable::pipeline, QT_TR_NOOP("PP"), QT_TR_NOOP("Pipeline stages"), "PP", [](const Layout& l) { return double(l.pipeline_parallel); }, nullptr},
    {LayoutTable::chunks, QT_TR_NOOP("Chunks"), QT_TR_NOOP("Model chunks of a stage"), "VP", [](const Layout& l) { return double(l.virtual_stages); }, nullptr},
    {LayoutTable::replicas, QT_TR_NOOP("DP"), QT_TR_NOOP("Data-parallel replicas"), "DP", [](const Layout& l) { return double(l.data_parallel); }, nullptr},
    {LayoutTable::expert, QT_TR_NOOP("EP"), QT_TR_NOOP("Ranks that share the experts"), "EP", [](const Layout& l) { return double(l.expert_parallel); }, nullptr},
    {LayoutTable::micro_batch, QT_TR_NOOP("MB"), QT_TR_NOOP("Sequences of a micro-batch"), "MB", [](const Layout& l) { return double(l.micro_batch); }, nullptr},
    {LayoutTable::recompute, QT_TR_NOOP("Recompute"), QT_TR_NOOP("What is computed again in the backward pass"), "recompute-",
     [](const Layout& l) { return 1e4 * int(l.recompute) + l.recompute_layers; }, recompute_name},
    {LayoutTable::zero, QT_TR_NOOP("ZeRO"), QT_TR_NOOP("ZeRO stage"), "ZeRO", [](const Layout& l) { return double(l.zero_stage); }, nullptr},
    {LayoutTable::schedule, QT_TR_NOOP("Schedule"), QT_TR_NOOP("Pipeline schedule"), "", [](const Layout& l) { return double(int(l.schedule)); },
     [](const Layout& l) { return l.pipeline_parallel > 1 ? named(name_of(l.schedule)) : QStringLiteral("-"); }},
    {LayoutTable::offload, QT_TR_NOOP("Offload"), QT_TR_NOOP("The furthest memory that anything is kept in"), "offload-",
     [](const Layout& l) { return l.offload.any() ? (tier_name(l) == QStringLiteral("NVMe") ? 2.0 : 1.0) : 0.0; }, tier_name},
};

const Setting* setting_of(int column) {
    const auto at = std::find_if(std::begin(settings), std::end(settings), [column](const Setting& s) { return s.column == column; });
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
    {LayoutTable::change, QT_TR_NOOP("To plan"), QT_TR_NOOP("Time of a step against the present plan's")},
    {LayoutTable::memory, QT_TR_NOOP("Memory"), QT_TR_NOOP("Of the fullest device")},
    {LayoutTable::energy, QT_TR_NOOP("Energy"), QT_TR_NOOP("Of one step, hosts, network and cooling included")},
    {LayoutTable::remark, QT_TR_NOOP("Remarks"), QT_TR_NOOP("Unbeaten: no layout is better in time, energy and memory at once")},
};

QString change_text(double ratio) { return std::abs(ratio - 1) < 5e-4 ? QStringLiteral("0 %") : delta_text(ratio, 1); }

}  // namespace

void LayoutTable::set_study(std::shared_ptr<const Study> study, const std::optional<Candidate>& present, const Layout& present_layout) {
    beginResetModel();
    study_ = std::move(study);
    present_ = present;
    present_layout_ = present_layout;
    remarks_.clear();
    for (int row = 0; row < rowCount(); ++row) remarks_.push_back(remarks(row));
    endResetModel();
}

QString LayoutTable::remarks(int row) const {
    const Candidate& c = candidate(row);
    QStringList all;
    if (c.layout == present_layout_) all << tr("this plan");
    if (study_->fit_first && study_->fit_first->layout == c.layout) all << tr("fit first, then data parallel");
    const auto& front = study_->found.front;
    if (std::find(front.begin(), front.end(), c) != front.end()) all << tr("unbeaten");
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
    if (!setting) return column == change && !present_;
    const double usual = setting->key(Layout{});
    return std::all_of(study_->rows.begin(), study_->rows.end(), [&](const Candidate& c) { return setting->key(c.layout) == usual; });
}

QString LayoutTable::text(int row, int column) const {
    const Candidate& c = candidate(row);
    if (const Setting* setting = setting_of(column)) return value_of(*setting, c.layout);
    switch (column) {
        case rank: return row < int(study_->found.top.size()) ? QString::number(row + 1) : QStringLiteral("-");
        case step: return to_qt(say(c.step));
        case change: return present_ ? change_text(c.step / present_->step) : QString();
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
        case Qt::AccessibleDescriptionRole: return to_qt(say_layout(candidate(row).layout));
        case Qt::TextAlignmentRole: {
            const bool words = column == remark || column == recompute || column == schedule || column == offload || column == sequence;
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

}  // namespace plimsoll
