#include "views/decide/proposal_page.h"

#include "core/files/measured/scaling_runs.h"
#include "core/files/presets/programme_json.h"
#include "core/files/results/spreadsheet.h"
#include "core/files/text/disk.h"
#include "views/decide/proposal_files.h"
#include "views/parts/arrange.h"
#include "views/parts/meanwhile.h"
#include "views/parts/text.h"

#include <QApplication>
#include <QDesktopServices>
#include <QFileDialog>
#include <QSettings>

namespace plimsoll {

namespace {

constexpr int html_role = Qt::UserRole, figure_role = Qt::UserRole + 1;

QString colour_of(Met met, const QPalette& palette) {
    return (met == Met::met ? good_colour(palette) : met == Met::missing ? alert_colour(palette)
                                                                         : faint_colour(palette))
        .name();
}

QString word_of(Met met) {
    switch (met) {
        case Met::met: return QObject::tr("met");
        case Met::missing: return QObject::tr("MISSING");
        case Met::by_applicant: break;
    }
    return QObject::tr("yours to meet");
}

QString checklist_html(const ProposalPack& pack, const QString& dated, const QPalette& palette) {
    QString html =
        QStringLiteral("<p><i>%1</i></p><table cellspacing=\"0\" cellpadding=\"4\">").arg(dated.toHtmlEscaped());
    for (const CheckedRequirement& c : pack.checked) {
        QString text = to_qt(c.requirement.text).toHtmlEscaped();
        for (const std::string& l : c.lacks)
            text += QStringLiteral("<br><font color=\"%1\">%2</font>")
                        .arg(alert_colour(palette).name(), to_qt(l).toHtmlEscaped());
        if (!c.requirement.source.empty())
            text += QStringLiteral("<br><small>%1</small>").arg(to_qt(c.requirement.source).toHtmlEscaped());
        html += QStringLiteral("<tr><td><font color=\"%1\"><b>%2</b></font></td><td>%3</td><td>%4</td></tr>")
                    .arg(colour_of(c.met, palette), word_of(c.met).toHtmlEscaped(),
                         to_qt(c.requirement.met_by).section(u':', 0, 0).toHtmlEscaped(), text);
    }
    return html + QStringLiteral("</table><p>%1</p>").arg(to_qt(pack.length).toHtmlEscaped());
}

constexpr const char* folder_key = "proposal/folder";

// Chooses a folder; one that is typed and not there yet is made.
class FolderDialog : public QFileDialog {
public:
    FolderDialog(QWidget* parent, const QString& title, const QString& from) : QFileDialog(parent, title, from) {
        setFileMode(QFileDialog::Directory);
        setOption(QFileDialog::ShowDirsOnly);
    }

protected:
    void accept() override {
        for (const QString& typed : selectedFiles()) QDir().mkpath(typed);
        QFileDialog::accept();
    }
};

}  // namespace

ProposalPage::ProposalPage(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
    list_ = new QListWidget;
    list_->setAccessibleName(tr("Parts of the proposal"));
    list_->setObjectName(QStringLiteral("proposal.parts"));
    list_->setWordWrap(true);
    list_->setTextElideMode(Qt::ElideNone);
    list_->setResizeMode(QListView::Adjust);   // titles wrap anew in another width
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setSpacing(1);
    text_ = new QTextBrowser;
    text_->setAccessibleName(tr("The part of the proposal"));
    text_->setOpenLinks(false);
    figure_ = new Chart("proposal-figure");
    parts_ = new QStackedWidget;
    parts_->addWidget(text_);
    parts_->addWidget(figure_);
    QSplitter* sides = split(Qt::Horizontal, {{list_, 1}, {parts_, 3}}, {240, 720});
    setLayout(below({build_head(), {sides, 1}}, page_margins));
    ring_once(pause_, 200, this, &ProposalPage::work_out);
    connect(list_, &QListWidget::currentRowChanged, this, &ProposalPage::show_part);
    connect(&job_, &LatestJob::failed, this, &ProposalPage::refuse);
    connect(&workspace_, &Workspace::changed, this, &ProposalPage::follow);
    connect(&workspace_, &Workspace::record_changed, this, &ProposalPage::follow);
    connect(&workspace_, &Workspace::scaling_changed, this, [this] {
        count_measured();
        follow();
    });
    for (const auto change : {&Plans::listed, &Plans::choice_changed})
        connect(&workspace_.plans(), change, this, &ProposalPage::follow);
}

QWidget* ProposalPage::build_head() {
    write_ = button(tr("&Write the pack..."), "proposal.write",
                    tr("Tables, texts, figures, checklist, plans and job scripts, into a folder"), this,
                    &ProposalPage::ask_write);
    write_->setEnabled(false);
    measure_ = button(tr("&Measured runs..."), "proposal.measured",
                      tr("Your own scaling runs, CSV or JSON: nodes, step_s, and machine, date, job, scaling, "
                         "gpu_utilisation. Only they enter the tables of measurements"),
                      this, &ProposalPage::ask_measured);
    tables_ = button(tr("Save the &tables..."), "proposal.tables",
                     tr("T01 to T12 as one spreadsheet, a sheet for each"), this, &ProposalPage::ask_tables);
    tables_->setEnabled(false);
    tables_->setVisible(spreadsheets_are_here());
    state_ = paragraph(tr("What is asked for"));
    set_bold(*state_);
    written_ = paragraph(tr("Where the pack was written"));
    open_ = button(tr("Open &folder"), "proposal.open", {}, this, [] {
        QDesktopServices::openUrl(QUrl::fromLocalFile(QSettings().value(QLatin1String(folder_key)).toString()));
    });
    for (QWidget* each : std::initializer_list<QWidget*>{written_, open_}) each->hide();
    return piece(below({build_choices(), state_, beside({{written_, 1}, open_})}, no_margins, 4));
}

QWidget* ProposalPage::build_choices() {
    const auto changed = [this] { follow(); };
    programme_ = as_input(new QComboBox, "proposal.programme");
    programme_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    programme_->setMinimumContentsLength(34);
    start_ = as_input(new QDateEdit(QDate(QDate::currentDate().year() + 1, 1, 1)), "proposal.start");
    start_->setDisplayFormat(QStringLiteral("yyyy-MM-dd"));
    start_->setCalendarPopup(true);
    award_ = as_input(number_box(0, 1e12, 0, {}, tr("what the runs take")), "proposal.award",
                      tr("In the programme's unit"));
    award_->setGroupSeparatorShown(true);
    rate_ = as_input(number_box(0, 1e9, 3, {}, tr("by the programme")), "proposal.rate",
                     tr("What the programme charges for an hour of one node of the plan's machine"));
    contingency_ = as_input(number_box(0, 100, 0, tr(" %")), "proposal.contingency", tr("Of all other runs"));
    contingency_->setValue(10);
    const auto count = [](int value, const char* name, const QString& tip) {
        QSpinBox* box = as_input(new QSpinBox, name, tip);
        box->setRange(0, 100000);
        box->setValue(value);
        return box;
    };
    const CampaignOptions usual;
    ablations_ = count(usual.ablations, "proposal.ablations",
                       tr("Short runs that try a choice out, each a hundredth of the first plan's training"));
    evaluations_ = count(usual.evaluations, "proposal.evaluations",
                         tr("Each a four-hundredth of the first plan's training"));
    with_beside_ = new QCheckBox(tr("With the &other plans"));
    with_beside_->setToolTip(tr("The plans that the page Compare shows are further runs of the campaign"));
    connect(programme_, &QComboBox::currentIndexChanged, this, changed);
    connect(programme_, &QComboBox::currentIndexChanged, this, &ProposalPage::tell_floor);
    connect(start_, &QDateEdit::dateChanged, this, changed);
    for (QDoubleSpinBox* box : {award_, rate_, contingency_})
        connect(box, &QDoubleSpinBox::valueChanged, this, changed);
    for (QSpinBox* box : {ablations_, evaluations_}) connect(box, &QSpinBox::valueChanged, this, changed);
    connect(with_beside_, &QCheckBox::toggled, this, changed);
    return piece(flow({labelled(tr("&Programme"), programme_), labelled(tr("&Start"), start_),
                       labelled(tr("&Award"), award_), labelled(tr("&Units per node-hour"), rate_),
                       labelled(tr("Abla&tions"), ablations_), labelled(tr("E&valuations"), evaluations_),
                       labelled(tr("&Contingency"), contingency_), with_beside_, measure_, tables_, write_}));
}

// Sixteen small files, read when the page is first seen.
void ProposalPage::read_programmes() {
    if (!programmes_.empty()) return;
    const QSignalBlocker quiet(programme_);
    for (const auto& [id, file] : workspace_.library().programmes) {
        const auto read = load_programme(id, workspace_.library());
        if (!read) continue;
        programmes_.push_back(read->programme);
        programme_->addItem(to_qt(read->programme.name), to_qt(id));
        programme_->setItemData(programme_->count() - 1, plain_text(to_qt(say_date(read->programme))), Qt::ToolTipRole);
    }
    // The first that offers the plan's machine.
    for (std::size_t i = 0; i < programmes_.size(); ++i)
        if (offers(programmes_[i], workspace_.scenario().machine)) {
            programme_->setCurrentIndex(int(i));
            break;
        }
}

void ProposalPage::choose(const std::string& programme) {
    read_programmes();
    const int at = programme_->findData(to_qt(programme));
    if (at >= 0) programme_->setCurrentIndex(at);
}

void ProposalPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    read_programmes();
    if (behind_) work_out();
}

void ProposalPage::follow() {
    behind_ = true;
    if (isVisible()) pause_.start();
}

Expected<ProposalInput, QString> ProposalPage::input() const {
    const int at = programme_->currentIndex();
    if (at < 0 || at >= int(programmes_.size())) return Unexpected{tr("No profile of a programme could be read.")};
    ProposalInput in;
    in.programme = programmes_[std::size_t(at)];
    std::vector<Scenario> plans{workspace_.scenario()};
    std::vector<Anchor> anchors;
    for (const MeasuredRun& run : workspace_.anchors())
        if (auto anchor = anchor_of(run)) anchors.push_back(*std::move(anchor));
    if (with_beside_->isChecked())
        for (const int place : workspace_.plans().beside())
            plans.push_back(workspace_.plans().at(place).scenario());
    for (const Scenario& s : plans) {
        auto plan = campaign_plan(s);
        if (!plan) return Unexpected{tr("%1 %2.").arg(to_qt(s.name), to_qt(plan.error()))};
        in.plans.push_back(*std::move(plan));
        in.bands.push_back(workspace_.record() ? proposal_band(s, workspace_.record()->evidence, anchors)
                                               : ProposalBand{});
    }
    in.measured = workspace_.scaling().runs;
    in.start = start_->date().toString(Qt::ISODate).toStdString();
    if (workspace_.record()) in.sources = proposal_sources(in.plans, *workspace_.record());
    if (award_->value() > 0) in.award = award_->value();
    if (rate_->value() > 0) in.rate = rate_->value();
    in.campaign.ablations = ablations_->value();
    in.campaign.evaluations = evaluations_->value();
    in.campaign.contingency = contingency_->value() / 100;
    in.version = QApplication::applicationVersion().toStdString();
    if (!rate_of(in))
        return Unexpected{tr("%1 does not say how many units of %2 a node-hour of %3 is. State it above in "
                             "Units per node-hour, or choose another programme or machine.")
                              .arg(to_qt(in.programme.name), to_qt(in.programme.unit.name),
                                   to_qt(in.plans.front().plan.machine.name))};
    return in;
}

void ProposalPage::work_out() {
    behind_ = false;
    pause_.stop();
    auto in = input();
    if (!in) {
        job_.forget();
        return refuse(in.error());
    }
    // A copy of the presets: some may be added meanwhile.
    job_.start([this, in = *std::move(in), library = workspace_.library()](std::stop_token) -> LatestJob::Deliver {
        const auto pack = std::make_shared<const ProposalPack>(proposal_pack(in, library, true));
        const QString dated = to_qt(say_date(in.programme));
        return [this, pack, dated] { adopt(pack, dated); };
    });
}

void ProposalPage::wait() {
    if (behind_ || pause_.isActive()) work_out();
    while (job_.busy()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
}

void ProposalPage::refuse(const QString& why) {
    pack_.reset();
    write_->setEnabled(false);
    tables_->setEnabled(false);
    state_->setText(why);
    list_->clear();
    list_->addItem(tr("No proposal"));
    list_->item(0)->setFlags(Qt::ItemIsEnabled);
    parts_->setCurrentWidget(text_);
    text_->setPlainText(tr("Tables, texts and figures stand here as soon as a proposal can be made."));
}

void ProposalPage::adopt(std::shared_ptr<const ProposalPack> pack, const QString& dated) {
    pack_ = std::move(pack);
    dated_ = dated;
    write_->setEnabled(true);
    tables_->setEnabled(true);
    int met = 0, missing = 0;
    for (const CheckedRequirement& c : pack_->checked) {
        met += c.met == Met::met;
        missing += c.met == Met::missing;
    }
    const Campaign& campaign = pack_->proposal.campaign;
    const QString units = grouped(campaign.units), nodes = grouped(campaign.node_hours());
    const QString asked = pack_->proposal.unit == "node-hour"
                            ? tr("Asked for: %1 node-hours.").arg(nodes)
                            : tr("Asked for in units of %2: %1, which are %3 node-hours.")
                                  .arg(units, to_qt(pack_->proposal.unit), nodes);
    state_->setText(asked + u' '
                    + tr("Requirements: %1 met, %2 missing, %3 yours to meet. %4")
                          .arg(met)
                          .arg(missing)
                          .arg(int(pack_->checked.size()) - met - missing)
                          .arg(dated_));
    const int row = list_->currentRow();
    const QSignalBlocker quiet(list_);
    list_->clear();
    const auto add = [this](const QString& title, const QString& html, int figure, bool lacks) {
        auto* item = new QListWidgetItem(lacks ? tr("%1 (missing)").arg(title) : title, list_);
        item->setData(html_role, html);
        item->setData(figure_role, figure);
        if (lacks) item->setForeground(alert_colour(palette()));
    };
    add(tr("Checklist"), checklist_html(*pack_, dated_, palette()), -1, false);
    for (const Sheet& s : pack_->proposal.tables)
        add(QStringLiteral("%1  %2").arg(to_qt(s.id), to_qt(s.title)), to_qt(to_html(s)), -1, !s.missing.empty());
    for (std::size_t i = 0; i < pack_->figures.size(); ++i) {
        const ProposalFigure& f = pack_->figures[i];
        add(QStringLiteral("%1  %2").arg(to_qt(f.id), to_qt(f.figure.title)),
            QStringLiteral("<p><font color=\"%1\">%2</font></p>")
                .arg(alert_colour(palette()).name(), to_qt(f.missing).toHtmlEscaped()),
            f.missing.empty() ? int(i) : -1, !f.missing.empty());
    }
    for (const PackFile& f : pack_->files)
        if (f.path == "report.html") add(tr("The whole report"), to_qt(f.text), -1, false);
    list_->setCurrentRow(std::clamp(row, 0, list_->count() - 1));
    show_part();
}

void ProposalPage::show_part() {
    const QListWidgetItem* item = list_->currentItem();
    if (!item || !pack_) return;
    const int figure = item->data(figure_role).toInt();
    parts_->setCurrentWidget(figure >= 0 ? static_cast<QWidget*>(figure_) : text_);
    if (figure < 0) return text_->setHtml(item->data(html_role).toString());
    Figure shown = pack_->figures[std::size_t(figure)].figure;
    shown.id = figure_->figure_id();
    figure_->present(snapshot_of({std::move(shown)}));
}

Problems ProposalPage::measure(const QString& path) {
    auto runs = meanwhile(path, [file = path.toStdString()] { return load_scaling_runs(file); });
    if (!runs) return runs.error();
    MeasuredScaling scaling = workspace_.scaling();
    scaling.runs = *std::move(runs);
    workspace_.set_scaling(std::move(scaling));
    tell_floor();
    return {};
}

void ProposalPage::count_measured() {
    const int count = int(workspace_.scaling().runs.size());
    measure_->setText(count == 0 ? tr("&Measured runs...") : tr("%n measured run(s)...", nullptr, count));
}

// Only beside runs of the user's own is it drawn: the charts follow when there are any.
void ProposalPage::tell_floor() {
    read_programmes();
    const int at = programme_->currentIndex();
    if (at < 0 || at >= int(programmes_.size())) return;
    const Programme& p = programmes_[std::size_t(at)];
    MeasuredScaling scaling = workspace_.scaling();
    if (scaling.floor == p.evidence.efficiency_floor && scaling.floor_of == p.name) return;
    scaling.floor = p.evidence.efficiency_floor;
    scaling.floor_of = p.name;
    workspace_.set_scaling(std::move(scaling));
}

// As they were exported for the programme before.
FigureOptions ProposalPage::figures_look() const {
    if (!remember_) return proposal_figures_look();
    const auto own = own_choice(programme_->currentData().toString());
    return own ? own->figure : proposal_figures_look();
}

void ProposalPage::ask_tables() {
    wait();
    if (!pack_) return;
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the tables as a spreadsheet"),
                                                      programme_->currentData().toString()
                                                          + QStringLiteral("-tables.xlsx"),
                                                      tr("Spreadsheets (*.xlsx)"));
    if (path.isEmpty()) return;
    const bool ended = path.endsWith(QStringLiteral(".xlsx"), Qt::CaseInsensitive);
    const auto book = to_xlsx(pack_->proposal.tables);
    const auto written = book ? write_atomically((ended ? path : path + QStringLiteral(".xlsx")).toStdString(), *book)
                              : Unexpected{book.error()};
    if (!written) warn(this, tr("Proposal"), written.error());
}

void ProposalPage::ask_measured() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Your own scaling runs"), {},
                                                      tr("Tables (*.csv *.json);;All files (*)"));
    if (path.isEmpty()) return;
    if (const Problems problems = measure(path); has_errors(problems)) warn(this, tr("Measured runs"), problems);
}

Expected<ExportFiles, Problems> ProposalPage::pack_files(const QString& dir) const {
    if (!pack_) return Unexpected{Problems{{Severity::error, {}, {}, state_->text().toStdString()}}};
    return proposal_files(*pack_, dir, dated_, figures_look());
}

void ProposalPage::ask_write() {
    FolderDialog dialog(this, tr("Write the proposal's pack into a folder"),
                        QSettings().value(QLatin1String(folder_key)).toString());
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return;
    const QString dir = dialog.selectedFiles().front();
    wait();
    auto files = pack_files(dir);
    if (!files) return warn(this, tr("Proposal"), files.error());
    QSettings().setValue(QLatin1String(folder_key), dir);
    folder_ = dir;
    emit export_wanted(*files, dir);
}

// Stays until another pack is written.
void ProposalPage::say_written(const QString& folder) {
    if (folder_.isEmpty() || folder != folder_) return;
    folder_.clear();
    written_->setText(tr("The pack was written into %1.").arg(QDir::toNativeSeparators(folder)));
    for (QWidget* each : std::initializer_list<QWidget*>{written_, open_}) each->show();
}

}  // namespace plimsoll
