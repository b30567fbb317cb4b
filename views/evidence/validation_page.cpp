#include "views/evidence/validation_page.h"

#include "core/evidence/published/score.h"
#include "core/files/text/disk.h"
#include "views/parts/arrange.h"
#include "views/parts/meanwhile.h"
#include "views/parts/text.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QTabWidget>

namespace plimsoll {

ValidationPage::ValidationPage(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      headline_(new QLabel(tr("Comparing this build with published runs..."))),
      words_(new QLineEdit),
      excluded_(new QCheckBox(tr("Rows not scored"))),
      view_(new QTableView),
      details_(new QTextBrowser),
      open_(button(tr("Open as plan"), "open_run", tr("Make this run the current plan, as one step that can be undone"),
                   this, &ValidationPage::open_selected)),
      sources_(new SummaryTable(tr("Source"))),
      families_(new SummaryTable(tr("Device"))),
      known_(new KnownTable),
      regrets_(new RegretTable) {
    headline_->setWordWrap(true);
    headline_->setAccessibleName(tr("How well predictions do"));
    auto* tables = new QTabWidget;
    tables->addTab(build_runs(), tr("Runs"));
    tables->addTab(sources_, tr("By source"));
    tables->addTab(families_, tr("By device"));
    tables->addTab(known_, tr("By what is known"));
    tables->addTab(regrets_, tr("Choosing layouts"));
    setLayout(below({headline_, {split(Qt::Horizontal, {{tables, 3}, {build_charts(), 2}}), 1}}, {0, 6, 0, 0}));
    auto* seen = new WhenSeen(*this, [this] { present(); });
    connect(&workspace_, &Workspace::record_changed, seen, &WhenSeen::due);
}

QWidget* ValidationPage::build_runs() {
    words_->setPlaceholderText(tr("Filter: words of any column, e.g. A100 ZeRO 3"));
    words_->setAccessibleName(tr("Filter the runs"));
    words_->setObjectName(QStringLiteral("filter_runs"));
    words_->setClearButtonEnabled(true);
    excluded_->setChecked(true);
    excluded_->setToolTip(tr("Show the rows that do not count, with the reason"));
    connect(words_, &QLineEdit::textChanged, &filter_, &RunFilter::set_words);
    connect(excluded_, &QCheckBox::toggled, &filter_, &RunFilter::set_excluded_shown);
    QPushButton* save = button(tr("Save..."), "save_runs",
                               tr("The table as CSV and the charts as PDF, SVG, PNG and CSV, into a folder"), this,
                               &ValidationPage::ask_save);

    view_->setModel(&filter_);
    set_up_table(*view_, tr("Published runs"));
    view_->setSortingEnabled(true);
    const int em = view_->fontMetrics().horizontalAdvance(u'0');
    const int widths[RunTable::columns] = {22, 9, 12, 12, 8, 14, 20, 9, 34, 20, 40};
    for (int c = 0; c < RunTable::columns; ++c) view_->setColumnWidth(c, em * widths[c]);
    view_->sortByColumn(RunTable::source, Qt::AscendingOrder);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ValidationPage::show_selection);
    connect(view_, &QTableView::activated, this, &ValidationPage::open_selected);
    details_->setAccessibleName(tr("The selected run"));
    details_->setPlaceholderText(tr("Select a run to read its source and what was assumed."));
    QBoxLayout* foot = beside({open_, save});
    foot->insertStretch(1);
    return piece(below({beside({{words_, 1}, excluded_}), {split(Qt::Vertical, {{view_, 4}, {details_, 1}}), 1}, foot},
                       page_margins));
}

QWidget* ValidationPage::build_charts() {
    auto* pages = new QTabWidget;
    for (const QString& title : {tr("Agreement"), tr("By source"), tr("By device")}) {
        auto* chart = new ScatterChart;
        chart->setAccessibleName(title);
        chart->set_empty_text(tr("No published run could be compared yet."));
        connect(chart, &ScatterChart::picked, this, [this](const QString& name) {
            if (model_.row_of(name) >= 0) select(name);
            else words_->setText(name);  // the mean of a group: its rows
        });
        charts_.push_back(chart);
        pages->addTab(chart, title);
    }
    pages->setMinimumWidth(260);
    return pages;
}

std::vector<ScoredRow> ValidationPage::own_rows() const {
    std::vector<ScoredRow> all;
    for (const auto& file : own_) all.insert(all.end(), file->runs.rows.begin(), file->runs.rows.end());
    return all;
}

std::vector<RunLine> ValidationPage::lines() const {
    std::vector<RunLine> all;
    for (const auto& file : own_) {
        const RunFile& f = file->runs;
        add_lines(all, f.rows, f.memory_rows, f.other_rows, f.published, true);
    }
    if (record_) {
        const Score& s = record_->score;
        add_lines(all, s.rows, s.memory_rows, s.other_rows, record_->published, false);
    }
    return all;
}

void ValidationPage::present() {
    const QString before = selected();
    if (record_ != workspace_.record()) {
        record_ = workspace_.record();
        judge();
    }
    model_.set_lines(lines());
    if (record_) {
        headline_->setText(record_summary(*record_, summaries_));
        sources_->present(record_->score.sources);
        families_->present(record_->score.families);
        regrets_->present(sweeps_of(record_->score.rows));
    }
    const std::vector<Figure> figures =
        residual_figures(record_ ? record_->score.rows : std::vector<ScoredRow>{}, own_rows());
    for (std::size_t i = 0; i < charts_.size(); ++i) charts_[i]->present(figures[i]);
    select(before);
    show_selection();
}

// The ranges of all rows take longer than all else of the page: they come while it is read.
void ValidationPage::judge() {
    summaries_.clear();
    known_->present({});
    if (!record_) return job_.forget();
    job_.start([this, record = record_](std::stop_token) -> LatestJob::Deliver {
        return [this, known = coverage_of(record->score, record->left_out).known] {
            summaries_ = known;
            known_->present(summaries_);
            headline_->setText(record_summary(*record_, summaries_));
        };
    });
}

QString ValidationPage::selected() const {
    const QModelIndex at = filter_.mapToSource(view_->currentIndex());
    return at.isValid() ? to_qt(model_.line(at.row()).row->id) : QString();
}

void ValidationPage::select(const QString& run) {
    const int row = model_.row_of(run);
    if (row < 0) return;
    if (!filter_.mapFromSource(model_.index(row, 0)).isValid()) {  // hidden by the filter
        words_->clear();
        excluded_->setChecked(true);
    }
    view_->setCurrentIndex(filter_.mapFromSource(model_.index(row, 0)));
    view_->scrollTo(view_->currentIndex(), QAbstractItemView::PositionAtCenter);
}

void ValidationPage::show_selection() {
    const int row = model_.row_of(selected());
    for (ScatterChart* chart : charts_) chart->select(selected());
    details_->setHtml(row < 0 ? QString() : details_of(model_.line(row)));
    open_->setEnabled(row >= 0 && plan_of(model_.line(row), workspace_.library()).has_value());
}

void ValidationPage::open_selected() {
    const int row = model_.row_of(selected());
    if (row < 0) return;
    const auto plan = plan_of(model_.line(row), workspace_.library());
    if (!plan) return;
    const QString run = selected();
    workspace_.document().turn_into(*plan, tr("Open %1").arg(run));
    emit opened(run);
}

Problems ValidationPage::add_runs(const QString& path) {
    const QString full = QFileInfo(path).absoluteFilePath();
    auto runs = meanwhile(full, [file = full.toStdString(), library = workspace_.library()] {
        return read_run_file(file, library);
    });
    if (!runs) return runs.error();
    auto file = std::make_unique<OwnFile>(OwnFile{full, std::move(*runs)});
    const QString first = file->runs.rows.empty() ? QString() : to_qt(file->runs.rows.front().id);
    model_.set_lines({});  // its lines point into what is replaced
    std::erase_if(own_, [&](const auto& f) { return f->path == full; });
    own_.push_back(std::move(file));
    present();
    select(first);
    return {};
}

std::vector<Figure> ValidationPage::figures() const {
    const std::shared_ptr<const TrackRecord> record = workspace_.record();
    return record ? residual_figures(record->score.rows, own_rows()) : std::vector<Figure>{};
}

ExportFiles ValidationPage::export_files(const QString& stem, const ExportOptions& o) const {
    const std::shared_ptr<const TrackRecord> record = workspace_.record();
    if (!record) return {};  // a window closed before it was ready has nothing to say
    const std::vector<ScoredRow> own = own_rows();
    std::string table = csv_header();
    for (const auto* rows : {&own, &record->score.rows, &record->score.memory_rows, &record->score.other_rows})
        table += to_csv(*rows);
    ExportFiles files;
    std::string captions;
    for (const Figure& f : figures()) {
        if (!wants(o, f.id)) continue;
        for (ExportFile& file : figure_files(f, to_csv(f, {}), stem, o)) files.push_back(std::move(file));
        captions += f.id + ": " + f.title + "\n  " + f.caption + '\n';
    }
    if (files.empty() && !o.figures.empty()) return {};
    files.push_back({stem + QStringLiteral("-published-runs.csv"), [table] { return table; }});
    files.push_back({stem + QStringLiteral("-published-runs.txt"), [captions] { return captions; }});
    return files;
}

void ValidationPage::ask_save() {
    const QString dir = QFileDialog::getExistingDirectory(this, tr("Save the table and the charts into a folder"));
    if (dir.isEmpty()) return;
    emit export_wanted(export_files(QDir(dir).filePath(QStringLiteral("plimsoll"))), dir);
}

}  // namespace plimsoll
