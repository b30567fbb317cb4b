#include "views/charts/export_dialog.h"

#include "views/charts/export.h"
#include "views/parts/arrange.h"
#include "views/parts/background.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QFormLayout>
#include <QGroupBox>
#include <QScrollArea>

#include <algorithm>

namespace plimsoll {

namespace {

QDoubleSpinBox* number_input(double least, double most, double step, const QString& unit, const char* name) {
    QDoubleSpinBox* box = as_input(number_box(least, most, 2, unit), name);
    box->setSingleStep(step);
    return box;
}

QCheckBox* choice(const QString& text, const char* name) {
    auto* box = new QCheckBox(text);
    box->setObjectName(QLatin1String(name));
    return box;
}

}  // namespace

ExportDialog::ExportDialog(std::vector<Exportable> figures,
                           const std::vector<std::pair<QString, QString>>& programmes, bool remember, QWidget* parent)
    : QDialog(parent), figures_(std::move(figures)), remember_(remember) {
    setObjectName(QStringLiteral("export"));
    setWindowTitle(tr("Export figures"));
    programme_ = as_input(new QComboBox, "export.programme",
                          tr("What is chosen here is remembered for this programme, and used for its proposal"));
    programme_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    programme_->setMinimumContentsLength(24);
    programme_->addItem(tr("Any use"), QString());
    for (const auto& [id, name] : programmes) programme_->addItem(name, id);
    auto* head = new QFormLayout;
    head->addRow(tr("F&or"), programme_);
    QWidget* choices = piece(below({head, {build_figures(), 1}, build_look(), build_files()}));
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(choices);
    choices->adjustSize();
    scroll->setMinimumWidth(choices->sizeHint().width() + 24);
    preview_ = new QLabel;
    preview_->setAlignment(Qt::AlignCenter);
    preview_->setMinimumSize(320, 240);
    preview_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    preview_->setAccessibleName(tr("The figure as it will be exported"));
    said_ = paragraph(tr("Size of the figure, or what is wrong"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    const auto end = [&](const QString& text, const char* name, Wanted wanted) {
        QPushButton* b = button(text, name, {}, this, [this, wanted] { finish(wanted); });
        buttons->addButton(b, wanted == Wanted::files ? QDialogButtonBox::AcceptRole : QDialogButtonBox::ActionRole);
        ends_.push_back(b);
    };
    end(tr("&Export..."), "export.files", Wanted::files);
    end(tr("&Print..."), "export.print", Wanted::print);
    end(tr("Print pre&view..."), "export.preview", Wanted::preview);
    ends_.front()->setDefault(true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    QBoxLayout* picture = below({{preview_, 1}, said_});
    setLayout(below({{beside({scroll, {picture, 1}}), 1}, buttons}));
    resize(980, 680);
    ring_once(turn_, 0, this, &ExportDialog::draw);
    connect(programme_, &QComboBox::currentIndexChanged, this, [this] {
        take(remember_ ? stored_choice(programme_->currentData().toString()) : ExportOptions{});
    });
    if (remember_) programme_->setCurrentIndex(std::max(0, programme_->findData(last_programme())));
    take(remember_ ? stored_choice(programme_->currentData().toString()) : ExportOptions{});
    tick([](const Exportable& e) { return e.in_view; });
}

QWidget* ExportDialog::build_figures() {
    auto* box = new QGroupBox(tr("Figures"));
    list_ = new QListWidget;
    list_->setObjectName(QStringLiteral("export.figures"));
    list_->setAccessibleName(tr("Figures to export"));
    list_->setMinimumHeight(110);
    for (const Exportable& e : figures_) {
        auto* item = new QListWidgetItem(e.title, list_);
        item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
        item->setCheckState(Qt::Unchecked);
        item->setToolTip(plain_text(e.title));
    }
    QPushButton* here = button(tr("Those of this pa&ge"), "export.this_page", {}, this,
                               [this] { tick([](const Exportable& e) { return e.in_view; }); });
    QPushButton* all = button(tr("&All"), "export.all", {}, this,
                              [this] { tick([](const Exportable&) { return true; }); });
    connect(list_, &QListWidget::itemChanged, this, &ExportDialog::follow);
    connect(list_, &QListWidget::currentRowChanged, this, &ExportDialog::follow);
    QBoxLayout* line = beside({here, all});
    line->addStretch(1);
    box->setLayout(below({{list_, 1}, line}));
    return box;
}

QWidget* ExportDialog::build_look() {
    auto* box = new QGroupBox(tr("Look"));
    columns_ = as_input(new QComboBox, "export.columns");
    columns_->addItem(tr("One column, 85 mm"), column_mm);
    columns_->addItem(tr("Two columns, 170 mm"), two_columns_mm);
    columns_->addItem(tr("Page of a proposal, 165 mm"), FigureOptions{}.width_mm);
    columns_->addItem(tr("Another width"), 0.0);
    width_ = number_input(40, 1000, 5, tr(" mm"), "export.width");
    height_ = number_input(0, 1000, 5, tr(" mm"), "export.height");
    height_->setSpecialValueText(tr("by the width"));
    points_ = number_input(4, 40, 0.5, tr(" pt"), "export.points");
    font_ = as_input(new QFontComboBox, "export.font");
    font_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    font_->setMinimumContentsLength(12);
    language_ = as_input(new QComboBox, "export.language");
    language_->addItem(tr("that of the window"), QString());
    for (const QString& id : languages()) language_->addItem(name_of_language(id), id);
    title_ = choice(tr("T&itle"), "export.title");
    legend_ = choice(tr("&Legend"), "export.legend");
    grey_ = choice(tr("G&reys instead of colours"), "export.grey");
    grey_->setToolTip(tr("Lines differ in dashes and marks, areas in greys and hatches"));
    const auto line = [](Placings parts) {
        QBoxLayout* row = beside(parts);
        row->addStretch(1);
        return row;
    };
    auto* form = new QFormLayout(box);
    form->addRow(tr("&Width"), columns_);
    form->addRow(QString(), line({width_}));
    const auto add_narrow = [&](const QString& text, QWidget* input) {
        auto* label = new QLabel(text);
        label->setBuddy(input);   // a form does so for widgets alone
        form->addRow(label, line({input}));
    };
    add_narrow(tr("&Height"), height_);
    form->addRow(tr("Fon&t"), font_);
    add_narrow(tr("Letter si&ze"), points_);
    form->addRow(tr("Lang&uage"), language_);
    form->addRow(QString(), line({title_, legend_, grey_}));
    width_->setAccessibleName(tr("Width in mm"));
    connect(columns_, &QComboBox::activated, this, [this] {
        const double mm = columns_->currentData().toDouble();
        if (mm > 0) width_->setValue(mm);
        else width_->setFocus();
    });
    for (QDoubleSpinBox* each : {width_, height_, points_})
        connect(each, &QDoubleSpinBox::valueChanged, this, &ExportDialog::follow);
    connect(font_, &QFontComboBox::currentFontChanged, this, &ExportDialog::follow);
    connect(language_, &QComboBox::currentIndexChanged, this, &ExportDialog::follow);
    for (QCheckBox* each : {title_, legend_, grey_})
        connect(each, &QCheckBox::toggled, this, &ExportDialog::follow);
    return box;
}

QWidget* ExportDialog::build_files() {
    auto* box = new QGroupBox(tr("Files"));
    QBoxLayout* kinds = beside({});
    for (const std::string& format : export_formats()) {
        formats_.push_back(choice(to_qt(format).toUpper(), ("export." + format).c_str()));
        connect(formats_.back(), &QCheckBox::toggled, this, &ExportDialog::follow);
        kinds->addWidget(formats_.back());
    }
    dpi_ = as_input(new QSpinBox, "export.dpi", tr("Resolution of PNG files"));
    dpi_->setRange(30, 1200);
    dpi_->setSingleStep(50);
    dpi_->setSuffix(tr(" dpi"));
    dpi_->setAccessibleName(tr("Resolution of PNG files"));
    connect(dpi_, &QSpinBox::valueChanged, this, &ExportDialog::follow);
    kinds->addWidget(dpi_);
    kinds->addStretch(1);
    sheet_ = choice(tr("All of them on one sheet as well (PDF)"), "export.sheet");
    connect(sheet_, &QCheckBox::toggled, this, &ExportDialog::follow);
    box->setLayout(below({kinds, sheet_}));
    return box;
}

void ExportDialog::take(const ExportOptions& o) {
    const FigureOptions& f = o.figure;
    width_->setValue(f.width_mm);
    height_->setValue(f.height_mm);
    points_->setValue(f.font_pt);
    font_->setCurrentFont(QFont(to_qt(f.font)));
    dpi_->setValue(f.dpi);
    title_->setChecked(f.title);
    legend_->setChecked(f.legend);
    grey_->setChecked(f.grey);
    sheet_->setChecked(o.sheet);
    language_->setCurrentIndex(std::max(0, language_->findData(to_qt(o.language))));
    for (std::size_t i = 0; i < formats_.size(); ++i)
        formats_[i]->setChecked(std::find(o.formats.begin(), o.formats.end(), export_formats()[i]) != o.formats.end());
    follow();
}

void ExportDialog::tick(const std::function<bool(const Exportable&)>& which) {
    int first = -1;
    for (int i = 0; i < list_->count(); ++i) {
        const bool on = which(figures_[std::size_t(i)]);
        list_->item(i)->setCheckState(on ? Qt::Checked : Qt::Unchecked);
        if (on && first < 0) first = i;
    }
    if (first >= 0) list_->setCurrentRow(first);
}

ExportOptions ExportDialog::options() const {
    ExportOptions o;
    o.figure.width_mm = width_->value();
    o.figure.height_mm = height_->value();
    o.figure.dpi = dpi_->value();
    o.figure.font = font_->currentFont().family().toStdString();
    o.figure.font_pt = points_->value();
    o.figure.title = title_->isChecked();
    o.figure.legend = legend_->isChecked();
    o.figure.grey = grey_->isChecked();
    o.language = language_->currentData().toString().toStdString();
    o.sheet = sheet_->isChecked();
    o.formats.clear();
    for (std::size_t i = 0; i < formats_.size(); ++i)
        if (formats_[i]->isChecked()) o.formats.push_back(export_formats()[i]);
    for (int i = 0; i < list_->count(); ++i)
        if (list_->item(i)->checkState() == Qt::Checked)
            o.figures.push_back(figures_[std::size_t(i)].id.toStdString());
    return o;
}

std::vector<Picture> ExportDialog::pictures() const {
    const ExportOptions o = options();
    const SpokenIn language(to_qt(o.language));
    std::vector<Picture> all;
    for (int i = 0; i < list_->count(); ++i)
        if (list_->item(i)->checkState() == Qt::Checked)
            all.push_back(figures_[std::size_t(i)].picture(o.figure));
    return all;
}

void ExportDialog::follow() {
    const int at = columns_->findData(width_->value());
    columns_->setCurrentIndex(at >= 0 ? at : columns_->count() - 1);
    dpi_->setEnabled(formats_.size() == export_formats().size() && formats_[2]->isChecked());
    turn_.start();
}

void ExportDialog::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    turn_.start();
}

void ExportDialog::finish(Wanted wanted) {
    wanted_ = wanted;
    if (remember_) {
        ExportOptions o = options();
        o.figures.clear();   // those of another page are asked for next time
        store_choice(programme_->currentData().toString(), o);
    }
    accept();
}

void ExportDialog::draw() {
    const ExportOptions o = options();
    QString wrong = to_qt(problem_with(o));
    if (wrong.isEmpty() && o.figures.empty()) wrong = tr("Choose at least one figure.");
    for (QPushButton* end : ends_) end->setEnabled(wrong.isEmpty());
    if (wrong.isEmpty() && o.formats.empty() && !o.sheet) {
        wrong = tr("Choose a kind of file, or print.");
        ends_.front()->setEnabled(false);
    }
    const int row = list_->currentRow();
    if (!to_qt(problem_with(o)).isEmpty() || row < 0) {
        preview_->clear();
        return said_->setText(wrong);
    }
    const SpokenIn language(to_qt(o.language));
    const Picture picture = figures_[std::size_t(row)].picture(o.figure);
    const double inches_across = o.figure.width_mm / 25.4, inches_down = picture.height_mm / 25.4;
    FigureOptions small = o.figure;
    const double ratio = devicePixelRatioF();
    small.dpi = std::clamp(int(ratio * std::min(preview_->width() / inches_across, preview_->height() / inches_down)),
                           30, 600);
    QPixmap drawn = QPixmap::fromImage(QImage::fromData(bytes_of(picture, small, QStringLiteral("png"))));
    drawn.setDevicePixelRatio(ratio);
    preview_->setPixmap(drawn);
    preview_->setAccessibleDescription(picture.description);
    const QString size = tr("%1 x %2 mm; as PNG %3 x %4 pixels.")
                             .arg(grouped(o.figure.width_mm), grouped(picture.height_mm))
                             .arg(qRound(inches_across * o.figure.dpi))
                             .arg(qRound(inches_down * o.figure.dpi));
    said_->setText(wrong.isEmpty() ? size : wrong + u' ' + size);
}

}  // namespace plimsoll
