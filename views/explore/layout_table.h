#pragma once
// The layouts that a search kept: as a table model, and in words.

#include "core/answers/curves/study.h"
#include "views/parts/tables.h"

#include <QAbstractTableModel>
#include <QString>

#include <memory>
#include <span>

namespace plimsoll {

// Layouts a search kept, as a table model: rank, what a step takes, every
// degree and setting in a column of its own, and what is special about it.
class LayoutTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        rank,
        step,
        change,
        memory,
        tensor,
        sequence,
        context,
        pipeline,
        chunks,
        replicas,
        expert,
        micro_batch,
        recompute,
        zero,
        schedule,
        offload,
        energy,
        remark,
        columns
    };
    using QAbstractTableModel::QAbstractTableModel;

    // `current` is what the plan itself takes, where it can be computed; its layout is marked.
    void set_study(std::shared_ptr<const Study>, const std::optional<Candidate>& current, const Layout& current_layout);
    const Candidate& candidate(int row) const { return study_->rows[row]; }
    int row_of(const QString& layout) const;    // as say_layout() names it; -1 for an unknown one
    bool is_dull(int column) const;             // says the same of every layout, and nothing unusual

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() || !study_ ? 0 : int(study_->rows.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(columns); }
    QVariant data(const QModelIndex&, int role) const override;
    QVariant headerData(int section, Qt::Orientation, int role) const override;

private:
    QString text(int row, int column) const;
    QVariant sort_key(int row, int column) const;
    QString words(int row) const;
    QString remarks(int row) const;

    std::shared_ptr<const Study> study_;
    std::vector<QString> remarks_;
    std::optional<Candidate> current_;
    Layout current_layout_;
};

// What a search found, and why one layout beats another, as the page shows it.

// Those that rank layouts differently: cost and node-hours of the same devices follow from time.
std::span<const Objective> objectives();
QString objective_label(Objective);            // "Time of a step"
QString summary_of(const Study&, Seconds took);    // "2,568 layouts of the common space: ..."
// Term by term, what `layout` takes against `reference`, as HTML; `versus` names the reference.
QString difference_html(const Scenario& plan, const Layout& layout, const Layout& reference, const QString& versus);

}  // namespace plimsoll
