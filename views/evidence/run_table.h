#pragma once
// Published runs in tables and in words: every run, the errors of groups of them, and a line on all.

#include "core/evidence/published/coverage.h"
#include "core/evidence/published/regret.h"
#include "core/evidence/published/score.h"
#include "core/files/results/track_record.h"
#include "views/parts/tables.h"

#include <QAbstractTableModel>
#include <QString>

namespace plimsoll {

// How well predictions do: a line for the status bar, and a paragraph for the page.
QString record_line(const TrackRecord&);     // "3,017 published runs, 6.2 % off where a source had no part"
// HTML; `known`: how far off it is by what other sources had measured, empty where that is not known yet.
QString record_summary(const TrackRecord&, const std::vector<KnowledgeSummary>& known);

// Published runs as a table model: what was published, what this build
// predicts, how far that is off. Rows that do not count are greyed and say why.
struct RunLine {
    const ScoredRow* row;
    const ScoredRow* memory;           // null when the run reports none
    std::vector<const ScoredRow*> others;  // what else it reports: hours, days, energy, power
    const PublishedRow* published;     // null when the run was a plan already
    bool own;                          // from a file of the user's
};

// Appends a line for each of `rows`; memory and other rows come in the order of the rows they belong to.
void add_lines(std::vector<RunLine>& lines, const std::vector<ScoredRow>& rows, const std::vector<ScoredRow>& memory,
               const std::vector<ScoredRow>& others, const PublishedRows& published, bool own);

class RunTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        run,
        error,
        published,
        predicted,
        memory_error,
        model,
        machine,
        devices,
        layout,
        source,
        remark,
        columns
    };
    using QAbstractTableModel::QAbstractTableModel;

    void set_lines(std::vector<RunLine>);  // what they point to has to outlive the model's use of it
    const RunLine& line(int row) const { return lines_[row]; }
    int row_of(const QString& id) const;   // -1 for an unknown one

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(lines_.size()); }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(columns); }
    QVariant data(const QModelIndex&, int role) const override;
    QVariant headerData(int section, Qt::Orientation, int role) const override;

private:
    std::vector<RunLine> lines_;
};

// Hides what does not count, on request.
class RunFilter : public WordFilter {
    Q_OBJECT
public:
    explicit RunFilter(RunTable& table, QObject* parent = nullptr);
    void set_excluded_shown(bool);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    RunTable& table_;
    bool excluded_shown_ = true;
};

// The run as a plan, named after it; none where the source leaves too little to fill in.
std::optional<Scenario> plan_of(const RunLine&, const Library&);
// "137 TFLOP/s", "42.1 GB": a value in the quantity its source published.
QString published_value(const std::string& quantity, double value);
QString layout_words(const Scenario&);           // "TP 8 x PP 4 x DP 16, ZeRO 1"
QString details_of(const RunLine&);              // everything known of the run, as HTML

// Errors of groups of published runs: one line a source or a device family.
class SummaryTable : public TextTable {
    Q_OBJECT
public:
    SummaryTable(const QString& group, QWidget* parent = nullptr);  // "Source"
    void present(const std::vector<ErrorSummary>&);
};

// How far off step times are by what other sources had measured of their stack and device: one line for each.
class KnownTable : public TextTable {
    Q_OBJECT
public:
    explicit KnownTable(QWidget* parent = nullptr);
    void present(const std::vector<KnowledgeSummary>&);
};

// What choosing a layout by prediction costs in published sweeps: one line a source.
class RegretTable : public TextTable {
    Q_OBJECT
public:
    explicit RegretTable(QWidget* parent = nullptr);
    void present(const std::vector<Sweep>&);
};

}  // namespace plimsoll
