#include "views/start/start_page.h"

#include "views/parts/find_words.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QFileInfo>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollArea>
#include <QVBoxLayout>

namespace plimsoll {

namespace {

constexpr int path_role = Qt::UserRole, id_role = Qt::UserRole + 1;

QLabel* heading(const QString& text) {
    auto* label = new QLabel(text);
    QFont font = label->font();
    font.setBold(true);
    font.setPointSizeF(1.15 * font.pointSizeF());
    label->setFont(font);
    label->setMinimumWidth(1);  // a narrow window has other things to show
    return label;
}

}  // namespace

StartPage::StartPage(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      library_(workspace.library()),
      form_(new FirstPlanForm(workspace)),
      recent_(new QListWidget),
      recent_box_(new QWidget),
      gallery_(new QTreeWidget) {
    setObjectName(QStringLiteral("start_page"));
    offer_ = build_offer();
    auto* sides = new QHBoxLayout;
    sides->setSpacing(18);
    sides->addWidget(build_side(), 2);
    sides->addWidget(build_gallery(), 5);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(12, 12, 12, 8);
    all->addWidget(offer_);
    all->addLayout(sides, 1);
    connect(&turn_, &QTimer::timeout, this, &StartPage::price_next);
    show_recent({});
    offer_tour(false);
}

QWidget* StartPage::build_offer() {
    auto* box = new QFrame;
    box->setObjectName(QStringLiteral("start.offer"));
    box->setFrameShape(QFrame::StyledPanel);
    box->setAutoFillBackground(true);
    box->setBackgroundRole(QPalette::ToolTipBase);
    auto* text = new QLabel(tr("New here? Five notes show the window; the Help menu has them again later."));
    text->setWordWrap(true);
    auto* take = new QPushButton(tr("&Take the tour"));
    auto* skip = new QPushButton(tr("&No, thanks"));
    skip->setObjectName(QStringLiteral("start.no_tour"));
    connect(take, &QPushButton::clicked, this, &StartPage::tour_asked);
    connect(skip, &QPushButton::clicked, this, [this] {
        QSizePolicy keeps = offer_->sizePolicy();   // its room, so that the lists below stay where they are
        keeps.setRetainSizeWhenHidden(true);
        offer_->setSizePolicy(keeps);
        offer_->hide();
        emit tour_declined();
    });
    auto* line = new QHBoxLayout(box);
    line->addWidget(text, 1);
    line->addWidget(take);
    line->addWidget(skip);
    return box;
}

void StartPage::offer_tour(bool on) { offer_->setVisible(on); }

QWidget* StartPage::build_side() {
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(heading(tr("A new plan")));
    auto* what = new QLabel(tr("The plan begins with the fastest layout that leaves memory free; everything can be "
                               "changed afterwards."));
    what->setWordWrap(true);
    what->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(what);
    column->addWidget(form_);
    column->addSpacing(14);

    auto* recents = new QVBoxLayout(recent_box_);
    recents->setContentsMargins(0, 0, 0, 0);
    recents->addWidget(heading(tr("Recent plans")));
    recents->addWidget(recent_, 1);
    recent_->setAccessibleName(tr("Recent plans"));
    connect(recent_, &QListWidget::itemActivated, this,
            [this](QListWidgetItem* item) { emit file_asked(item->data(path_role).toString()); });
    column->addWidget(recent_box_, 1);
    column->addStretch();
    struct Other {
        QString text, tip;
        void (StartPage::*ask)();
    };
    const Other others[] = {
        {tr("Begin with a &script or a log..."),
         tr("What a training framework was started with, and what it printed; such files can also be dropped on the "
            "window together"),
         &StartPage::import_asked},
        {tr("&Open a plan..."), {}, &StartPage::open_asked},
        {tr("A &tour of the window"), {}, &StartPage::tour_asked},
        {tr("&Back to the plan"), {}, &StartPage::back_asked},
    };
    for (const auto& [text, tip, ask] : others) {
        auto* button = new QPushButton(text);
        button->setToolTip(tip);
        connect(button, &QPushButton::clicked, this, ask);
        column->addWidget(button);
    }
    return side;
}

QWidget* StartPage::build_gallery() {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    auto* top = new QHBoxLayout;
    top->addWidget(heading(tr("Examples, by what they answer")), 1);
    auto* search = new QLineEdit;
    search->setObjectName(QStringLiteral("start.find"));
    search->setPlaceholderText(tr("Find an example"));
    search->setAccessibleName(tr("Find an example"));
    search->setClearButtonEnabled(true);
    connect(search, &QLineEdit::textChanged, this, &StartPage::filter);
    top->addWidget(search, 1);
    column->addLayout(top);
    gallery_->setAccessibleName(tr("Examples"));
    gallery_->setHeaderLabels({tr("Example"), tr("Model"), tr("Machine"), tr("Time to train"), tr("Energy")});
    gallery_->setRootIsDecorated(false);
    gallery_->setAlternatingRowColors(true);
    gallery_->setIndentation(14);
    gallery_->setMinimumWidth(200);
    gallery_->setUniformRowHeights(true);
    gallery_->headerItem()->setTextAlignment(3, Qt::AlignRight);
    gallery_->headerItem()->setTextAlignment(4, Qt::AlignRight);
    for (const Question& q : questions(library_)) {
        auto* group = new QTreeWidgetItem(gallery_, {q.text});
        group->setFlags(Qt::ItemIsEnabled);
        QFont bold = gallery_->font();
        bold.setBold(true);
        group->setFont(0, bold);
        group->setFirstColumnSpanned(true);
        for (const std::string& id : q.examples) {
            auto* item = new QTreeWidgetItem(group, {to_qt(id)});
            item->setData(0, path_role, QString::fromStdString(library_.scenarios.at(id).string()));
            item->setData(0, id_role, to_qt(id));
            item->setTextAlignment(3, Qt::AlignRight | Qt::AlignVCenter);
            item->setTextAlignment(4, Qt::AlignRight | Qt::AlignVCenter);
            unpriced_.push_back(item);
        }
    }
    std::reverse(unpriced_.begin(), unpriced_.end());  // taken from the end
    gallery_->expandAll();
    gallery_->header()->setStretchLastSection(false);
    gallery_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (int c = 1; c < 5; ++c) gallery_->header()->setSectionResizeMode(c, QHeaderView::ResizeToContents);
    connect(gallery_, &QTreeWidget::itemActivated, this, &StartPage::ask_example);
    column->addWidget(gallery_, 1);
    hint_ = new QLabel(tr("Enter or a double click opens a copy; the example stays as it is."));
    hint_->setForegroundRole(QPalette::PlaceholderText);
    hint_->setWordWrap(true);
    hint_->setMinimumWidth(1);
    column->addWidget(hint_);
    filter({});
    return box;
}

void StartPage::show_recent(const QStringList& files) {
    recent_->clear();
    for (const QString& file : files) {
        auto* item = new QListWidgetItem(QFileInfo(file).fileName(), recent_);
        item->setData(path_role, file);
        item->setToolTip(plain_text(file));
        if (!QFileInfo::exists(file)) item->setFlags(Qt::NoItemFlags);
    }
    recent_box_->setHidden(files.isEmpty());
}

void StartPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!unpriced_.empty()) turn_.start(0);
}

// Names of examples say model and machine: these columns give way first.
void StartPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int em = fontMetrics().averageCharWidth();
    const int room = width() * 5 / 7;  // of the gallery, which has its new width only after this
    gallery_->setColumnHidden(1, room < 130 * em);
    gallery_->setColumnHidden(2, room < 160 * em);
    gallery_->setColumnHidden(4, room < 75 * em);
}

void StartPage::price_next() {
    if (unpriced_.empty()) return turn_.stop();
    QTreeWidgetItem* item = unpriced_.back();
    unpriced_.pop_back();
    const auto card = card_of(item->data(0, id_role).toString().toStdString(), library_);
    if (!card) return item->setDisabled(true);
    const QString cells[] = {card->name, card->model, card->machine, card->time, card->energy};
    for (int c = 0; c < 5; ++c) {
        item->setText(c, cells[c]);
        item->setToolTip(c, plain_text(cells[c]));
    }
}

void StartPage::filter(const QString& words) {
    const Typed typed(words);
    for (int i = 0; i < gallery_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* group = gallery_->topLevelItem(i);
        bool any = false;
        for (int k = 0; k < group->childCount(); ++k) {
            QTreeWidgetItem* item = group->child(k);
            const bool found = typed.score({item->text(0), {item->text(1), item->text(2)}, group->text(0)}) > 0;
            item->setHidden(!found);
            any = any || found;
        }
        group->setHidden(!any);
    }
}

void StartPage::ask_example(QTreeWidgetItem* item) {
    const QString path = item->data(0, path_role).toString();
    if (!path.isEmpty() && !item->isDisabled()) emit example_asked(path);
}

}  // namespace plimsoll
