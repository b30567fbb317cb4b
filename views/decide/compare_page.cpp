#include "views/decide/compare_page.h"

#include "core/answers/compare/compare_figures.h"
#include "core/values/knobs/wording.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QInputDialog>
#include <QMessageBox>
#include <QSplitter>
#include <QVBoxLayout>

namespace plimsoll {

namespace {

constexpr int columns = 2 + PlansBeside::most;  // what, the plan, those beside it

TextTable* table_of_plans(const QString& name) {
    std::set<int> numbers;
    for (int c = 1; c < columns; ++c) numbers.insert(c);
    QStringList headings;
    for (int c = 0; c < columns; ++c) headings << QString();
    return new TextTable(name, headings, numbers);
}

QString days(Seconds s, bool with_sign) {
    return (with_sign && s > Seconds{} ? QStringLiteral("+") : QString()) + QString::number(s / day, 'f', 2);
}

}  // namespace

ComparePage::ComparePage(Workspace& workspace, PlansBeside& beside, QWidget* parent)
    : QWidget(parent), workspace_(workspace), beside_(beside) {
    content_ = new QSplitter(Qt::Horizontal);
    auto* sides = static_cast<QSplitter*>(content_);
    sides->addWidget(build_tables());
    sides->addWidget(build_charts());
    sides->setStretchFactor(0, 3);
    sides->setStretchFactor(1, 2);
    sides->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 6, 4, 4);
    column->addWidget(build_head());
    column->addWidget(content_, 1);
    column->addStretch();
    connect(&workspace_, &Workspace::changed, this, &ComparePage::follow);
    connect(&beside_, &PlansBeside::changed, this, [this] {
        refill();
        follow();
    });
    refill();
}

QWidget* ComparePage::build_head() {
    const auto button = [this](const QString& text, const char* name, const QString& tip, auto&& does) {
        auto* b = new QPushButton(text);
        b->setObjectName(QString::fromLatin1(name));
        b->setToolTip(tip);
        connect(b, &QPushButton::clicked, this, does);
        return b;
    };
    keep_ = button(tr("&Keep this plan beside"), "compare.keep",
                   tr("A copy of the plan as it is now, which later edits leave alone"), [this] { keep(); });
    add_ = button(tr("&Add a file..."), "compare.add", tr("A saved plan"), [this] { ask_add(); });
    picked_ = new QComboBox;
    picked_->setObjectName(QStringLiteral("compare.picked"));
    picked_->setAccessibleName(tr("Plan kept beside"));
    picked_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    picked_->setMinimumContentsLength(24);
    WheelGuard::install(picked_);
    connect(picked_, &QComboBox::currentIndexChanged, this, &ComparePage::show_reason);
    open_ = button(tr("&Open it"), "compare.open", tr("As the current plan, as one step that can be undone"),
                   [this] { open(); });
    rename_ = button(tr("Re&name..."), "compare.rename", {}, [this] { ask_rename(); });
    remove_ = button(tr("&Remove"), "compare.remove", tr("From this page; files stay where they are"),
                     [this] { beside_.remove(picked_->currentIndex()); });
    state_ = paragraph(tr("What is compared"));
    auto* head = new QWidget;
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* line = new FlowLayout;
    for (QWidget* each : std::initializer_list<QWidget*>{keep_, add_, labelled(tr("&Beside"), picked_), open_, rename_,
                                                         remove_})
        line->addWidget(each);
    column->addLayout(line);
    column->addWidget(state_);
    return head;
}

QWidget* ComparePage::build_tables() {
    answers_ = table_of_plans(tr("Answers of the plans"));
    inputs_ = table_of_plans(tr("Inputs that differ"));
    reasons_ = new TextTable(tr("Where the time goes"), {tr("Part"), tr("Days")}, {1});
    reasons_->stretch(0);
    why_ = paragraph(tr("Why it takes longer or shorter"));
    auto* reasons = new QWidget;
    auto* column = new QVBoxLayout(reasons);
    column->setContentsMargins(4, 6, 4, 4);
    column->addWidget(why_);
    column->addWidget(reasons_, 1);
    auto* tabs = new QTabWidget;
    tabs->addTab(answers_, tr("Answers"));
    tabs->addTab(inputs_, tr("Inputs that differ"));
    tabs->addTab(reasons, tr("Why"));
    return tabs;
}

QWidget* ComparePage::build_charts() {
    auto* tabs = new QTabWidget;
    for (const auto& [id, title] : {std::pair{"compare-time", tr("Time")}, {"compare-memory", tr("Memory")},
                                    {"compare-nodes", tr("Over nodes")}}) {
        charts_.push_back(new Chart(id));
        tabs->addTab(charts_.back(), title);
    }
    tabs->setMinimumWidth(280);
    return tabs;
}

void ComparePage::set_theme(const ChartTheme& theme) {
    for (Chart* chart : charts_) chart->set_theme(theme);
}

void ComparePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (behind_) present();
}

void ComparePage::follow() {
    if (isVisible()) present();
    else behind_ = true;
}

void ComparePage::keep() {
    if (beside_.keep(workspace_.scenario())) picked_->setCurrentIndex(picked_->count() - 1);
}

Problems ComparePage::add(const QString& path) {
    auto plan = load_scenario(path, workspace_.library());
    if (!plan) return plan.error();
    if (beside_.keep(*std::move(plan))) picked_->setCurrentIndex(picked_->count() - 1);
    return {};
}

void ComparePage::ask_add() {
    const QString path = QFileDialog::getOpenFileName(this, tr("A plan to compare with"), {},
                                                      tr("Plans (*.plimsoll *.json);;All files (*)"));
    if (path.isEmpty()) return;
    const Problems problems = add(path);
    if (has_errors(problems))
        QMessageBox::warning(this, tr("Compare"), plain_text(to_qt(say(problems))));
}

void ComparePage::ask_rename() {
    const int place = picked_->currentIndex();
    if (place < 0) return;
    const QString name = QInputDialog::getText(this, tr("Rename the plan"), tr("Name"), QLineEdit::Normal,
                                               picked_->currentText());
    beside_.rename(place, name.trimmed().toStdString());
}

void ComparePage::open() {
    const int place = picked_->currentIndex();
    if (place < 0) return;
    const Scenario plan = beside_.plans()[std::size_t(place)];
    const QString name = to_qt(plan.name);
    workspace_.document().turn_into(plan, tr("Open %1").arg(name));
    emit opened(name);
}

void ComparePage::refill() {
    const int place = picked_->currentIndex();
    const QSignalBlocker quiet(picked_);
    picked_->clear();
    for (const Scenario& s : beside_.plans()) picked_->addItem(to_qt(s.name));
    picked_->setCurrentIndex(std::min(std::max(place, 0), picked_->count() - 1));
    const bool any = picked_->count() > 0;
    for (QWidget* each : std::initializer_list<QWidget*>{picked_, open_, rename_, remove_}) each->setEnabled(any);
    for (QPushButton* each : {keep_, add_}) each->setEnabled(!beside_.full());
}

std::vector<Scenario> ComparePage::plans() const {
    std::vector<Scenario> all{workspace_.scenario()};
    all.insert(all.end(), beside_.plans().begin(), beside_.plans().end());
    return all;
}

QStringList ComparePage::names() const {
    QStringList all{tr("This plan")};
    for (const Scenario& s : beside_.plans()) all << to_qt(s.name);
    return all;
}

void ComparePage::present() {
    behind_ = false;
    compared_.reset();
    content_->setVisible(false);
    if (beside_.plans().empty())
        return state_->setText(tr("Keep the plan beside itself, then edit it: both are compared here with every edit. "
                                  "Saved plans can be added too, five in all."));
    const std::vector<Scenario> all = plans();
    auto compared = compare(all);
    if (!compared) {
        QString text = tr("%1 cannot be computed.").arg(names()[compared.error().plan]);
        for (const Obstacle& o : compared.error().obstacles) text += u' ' + to_qt(say(o));
        return state_->setText(text);
    }
    compared_ = *std::move(compared);
    state_->setText(tr("Failures, checkpoints and ends of jobs are counted in all of them."));
    content_->setVisible(true);
    show_rows(*answers_, compared_->answers);
    show_rows(*inputs_, compared_->inputs);
    std::vector<std::string> labels;
    for (const QString& name : names()) labels.push_back(name.toStdString());
    const Snapshot drawn = snapshot_of(compare_figures(all, labels));
    for (Chart* chart : charts_) chart->present(drawn);
    show_reason();
}

void ComparePage::show_rows(TextTable& table, const std::vector<ComparedRow>& rows) {
    const QStringList heads = names();
    for (int c = 0; c < columns; ++c) {
        table.setColumnHidden(c, c > int(heads.size()));
        table.horizontalHeaderItem(c)->setText(c == 0 ? QString() : heads.value(c - 1));
    }
    std::vector<QStringList> cells;
    for (const ComparedRow& r : rows) {
        cells.emplace_back(worded(r.label));
        for (const std::string& value : r.values) cells.back() << to_qt(value);
        cells.back().resize(columns);
    }
    table.show_rows(cells);
    // What differs stands out, by its weight.
    for (int r = 0; r < table.rowCount(); ++r)
        for (int c = 1; c <= int(heads.size()); ++c) {
            QFont font = table.item(r, c)->font();
            font.setBold(rows[std::size_t(r)].differs && &table == answers_);
            table.item(r, c)->setFont(font);
        }
    table.resizeColumnsToContents();  // bold text is wider
}

// From this plan's time to that of the one picked, part by part.
void ComparePage::show_reason() {
    const int place = picked_->currentIndex();
    if (!compared_ || place < 0 || place >= int(compared_->waterfalls.size())) return;
    const Waterfall& w = compared_->waterfalls[std::size_t(place)];
    const QString name = picked_->itemText(place);
    why_->setText(tr("%1 against this plan: %2.").arg(name, to_qt(w.why)));
    std::vector<QStringList> cells{{tr("This plan"), days(w.from, false)}};
    for (const WaterfallPart& p : w.parts)
        if (p.change != Seconds{}) cells.push_back({QStringLiteral("    ") + worded(p.label), days(p.change, true)});
    cells.push_back({name, days(w.to, false)});
    reasons_->show_rows(cells);
}

}  // namespace plimsoll
