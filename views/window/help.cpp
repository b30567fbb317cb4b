#include "views/window/help.h"

#include "views/inputs/inputs_panel.h"
#include "views/parts/arrange.h"
#include "views/parts/language.h"

#include <QDir>
#include <QEvent>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextFrame>
#include <QTextTable>
#include <QTreeWidget>

// As in main_window.cpp: outside the namespace.
static void use_help_pages() { Q_INIT_RESOURCE(help); }

namespace plimsoll {

namespace {

const QString first_page = QStringLiteral("index");

// In the language of the window; a page that it lacks is shown in English.
QString file_of_page(const QString& name) {
    const QString spoken = QStringLiteral(":/help/%1/%2.md").arg(language_spoken(), name);
    return QFile::exists(spoken) ? spoken : QStringLiteral(":/help/%1.md").arg(name);
}

bool in_our_language(const QUrl& url) {
    const QString spoken = language_spoken();
    return spoken == QStringLiteral("en") || url.path().contains(QStringLiteral("/%1/").arg(spoken));
}

QUrl url_of_page(const QString& name) { return QUrl(QStringLiteral("qrc") + file_of_page(name)); }

QString page_of(const QUrl& url) {
    const QString file = url.fileName();
    return file.endsWith(QStringLiteral(".md")) ? file.chopped(3) : QString();
}

QString text_of_page(const QString& name) {
    QFile file(file_of_page(name));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString heading_of(const QString& markdown) {
    static const QRegularExpression heading(QStringLiteral("^# +(.+)$"), QRegularExpression::MultilineOption);
    return heading.match(markdown).captured(1).trimmed();
}

}  // namespace

std::vector<HelpPage> help_pages() {
    use_help_pages();
    const QDir folder(QStringLiteral(":/help"));
    const QString index = text_of_page(first_page);
    QStringList names{first_page};
    static const QRegularExpression link(QStringLiteral("\\]\\(([\\w-]+)\\.md\\)"));
    for (auto found = link.globalMatch(index); found.hasNext();) names << found.next().captured(1);
    const QStringList files = folder.entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name);
    for (const QString& file : files) names << file.chopped(3);
    names.removeDuplicates();
    std::vector<HelpPage> pages;
    for (const QString& name : names)
        if (const QString text = text_of_page(name); !text.isEmpty()) pages.push_back({name, heading_of(text)});
    return pages;
}

namespace {

// Where an input is spoken of by its name, the terms before the formulas.
HelpTopic topic_of_input(const Knob& knob) {
    const QString label = worded(knob.label);
    for (const char* page : {"glossary", "model", "search", "calibrate", "files", "trust"})
        if (text_of_page(QLatin1String(page)).contains(label, Qt::CaseInsensitive)) return {QLatin1String(page), label};
    return {QStringLiteral("model"), worded(knob.section)};
}

constexpr const char* help_of_page[][2] = {
    {"layouts", "search"},       {"energy", "model"},     {"resilience", "model"}, {"paper", "model"},
    {"compare", "proposal"},     {"goal", "proposal"},    {"tornado", "proposal"},  {"proposal", "proposal"},
    {"questions", "window"},
    {"validation", "trust"},     {"calibrate", "calibrate"}, {"probes", "calibrate"}, {"overview", "window"},
    {"time", "window"},
    {"step", "model"},           {"memory", "model"},     {"timeline", "model"},
};

}  // namespace

HelpTopic help_topic_of(const QWidget* at) {
    for (; at; at = at->parentWidget()) {
        if (const auto* row = qobject_cast<const KnobRow*>(at)) {
            if (row->knob().id == "nodes") return {QStringLiteral("glossary"), QObject::tr("strong scaling")};
            return topic_of_input(row->knob());
        }
        if (qobject_cast<const PresetPicker*>(at)) return {QStringLiteral("files"), QObject::tr("Presets")};
        for (const auto& [page, help] : help_of_page)
            if (at->objectName() == QStringLiteral("page.") + QLatin1String(page)) return {QLatin1String(help), {}};
    }
    return {first_page, {}};
}

HelpBrowser::HelpBrowser(QWidget* parent) : QTextBrowser(parent) {
    setOpenExternalLinks(true);
    setAccessibleName(tr("Help page"));
    document()->setDocumentMargin(14);
}

QString HelpBrowser::page() const { return page_of(source()); }

// A link of a page names another; both may be there in the window's language or in English.
void HelpBrowser::doSetSource(const QUrl& url, QTextDocument::ResourceType type) {
    const QString name = page_of(url);
    QTextBrowser::doSetSource(QFile::exists(file_of_page(name)) ? url_of_page(name) : url, type);
    rule_tables();
}

// A new line of Markdown is a space, which Japanese does not have between its sentences.
QVariant HelpBrowser::loadResource(int type, const QUrl& url) {
    const QVariant read = QTextBrowser::loadResource(type, url);
    if (type != QTextDocument::MarkdownResource) return read;
    static const QRegularExpression line_end(QStringLiteral(
        "(?<=[\\x{3000}-\\x{30ff}\\x{4e00}-\\x{9fff}\\x{ff00}-\\x{ffef}])\\n *(?=[^\\s#|-])(?!\\d+\\. )"));
    const QString fence = QStringLiteral("```");
    QStringList parts = QString::fromUtf8(read.toByteArray()).split(fence);   // every other one is code
    for (qsizetype i = 0; i < parts.size(); i += 2) parts[i].remove(line_end);
    return parts.join(fence);
}

// Markdown's tables come without lines, and their colours do not follow the window's.
void HelpBrowser::rule_tables() {
    const QColor line = palette().color(QPalette::Mid), ground = palette().color(QPalette::AlternateBase);
    for (QTextFrame* frame : document()->rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (!table) continue;
        QTextTableFormat format = table->format();
        format.setBorder(1);
        format.setBorderCollapse(true);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBorderBrush(line);
        format.setCellPadding(4);
        table->setFormat(format);
        for (int column = 0; column < table->columns(); ++column) {
            QTextTableCell cell = table->cellAt(0, column);
            QTextCharFormat heading = cell.format();
            heading.setBackground(ground);
            cell.setFormat(heading);
        }
    }
}

// Colours of links are taken when a page is read.
void HelpBrowser::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || source().isEmpty()) return;
    const int place = verticalScrollBar()->value();
    reload();
    verticalScrollBar()->setValue(place);
}

HelpWindow::HelpWindow(QWidget* parent)
    : QDialog(parent), pages_(help_pages()), list_(new QListWidget), browser_(new HelpBrowser),
      english_(new QLabel(tr("This page is in English."))) {
    setObjectName(QStringLiteral("help"));
    setWindowTitle(tr("Help"));
    setWindowFlag(Qt::WindowMaximizeButtonHint);
    list_->setAccessibleName(tr("Help pages"));
    for (const HelpPage& page : pages_) list_->addItem(page.title);
    list_->setMinimumWidth(list_->sizeHintForColumn(0) + 24);
    QPushButton* back = button(tr("&Back"), "help.back", {}, browser_, &QTextBrowser::backward);
    back->setEnabled(false);
    back->setAutoDefault(false);
    connect(browser_, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
    connect(browser_, &QTextBrowser::sourceChanged, this, &HelpWindow::mark_page);
    connect(list_, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0) open_page(pages_[std::size_t(row)].name);
    });
    english_->setObjectName(QStringLiteral("help.english"));
    setLayout(below({english_, {split(Qt::Horizontal, {list_, {browser_, 1}}, {190, 810}), 1},
                     beside({back, {close_button(*this), 1}})}));
    resize(1000, 760);
    open_page(first_page);
    browser_->setFocus();
}

void HelpWindow::open_page(const QString& name) {
    if (browser_->page() != name) browser_->setSource(url_of_page(name));
}

void HelpWindow::show_page(const QString& name, const QString& word) {
    open_page(QFile::exists(file_of_page(name)) ? name : first_page);
    if (!word.isEmpty()) {
        browser_->moveCursor(QTextCursor::Start);
        browser_->find(word);  // marks it and scrolls there
    }
    show();
    raise();
    activateWindow();
}

void HelpWindow::show_news() {
    browser_->setSource(QUrl(QStringLiteral("qrc:/news/CHANGELOG.md")));
    list_->setCurrentRow(-1);
    show();
    raise();
    activateWindow();
}

// A link may lead to another page than the one chosen from the list. The browser says where it goes before it is there.
void HelpWindow::mark_page(const QUrl& url) {
    const QSignalBlocker quiet(list_);
    english_->setHidden(in_our_language(url));
    for (std::size_t i = 0; i < pages_.size(); ++i)
        if (pages_[i].name == page_of(url)) list_->setCurrentRow(int(i));
}

namespace {

void add_shortcuts_of(QTreeWidget& list, const QMenu& menu) {
    auto* group = new QTreeWidgetItem(&list, {menu.title().remove(u'&')});
    for (const QAction* action : menu.actions()) {
        // A key that is a letter stands behind the text: it is no shortcut, see MainWindow::keyPressEvent().
        const QStringList parts = action->text().remove(u'&').remove(QStringLiteral("...")).split(u'\t');
        const QString keys = parts.size() > 1
                               ? parts[1]
                               : QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText);
        if (!keys.isEmpty()) new QTreeWidgetItem(group, {parts[0], keys});
    }
}

void add_gestures(QTreeWidget& list) {
    auto* group = new QTreeWidgetItem(&list, {QObject::tr("In charts and fields")});
    new QTreeWidgetItem(group, {QObject::tr("Chart: move the cursor point by point"), QObject::tr("Left, Right")});
    new QTreeWidgetItem(group, {QObject::tr("List of presets: keep the marked one on top"), QObject::tr("Ctrl+D")});
    new QTreeWidgetItem(group, {QObject::tr("Number field: next valid value"), QObject::tr("Up, Down")});
    new QTreeWidgetItem(group,
                        {QObject::tr("Number field: next value, valid or not"), QObject::tr("Shift+Up, Shift+Down")});
    new QTreeWidgetItem(group, {QObject::tr("Number field: back to the plan's value"), QObject::tr("Esc")});
}

}  // namespace

void show_shortcuts(QWidget* window) {
    QDialog dialog(window);
    dialog.setWindowTitle(QObject::tr("Keyboard shortcuts"));
    auto* list = new QTreeWidget;
    list->setAccessibleName(dialog.windowTitle());
    list->setHeaderLabels({QObject::tr("Action"), QObject::tr("Keys")});
    list->setRootIsDecorated(false);
    if (auto* main = qobject_cast<QMainWindow*>(window))
        for (const QAction* action : main->menuBar()->actions())
            if (action->menu()) add_shortcuts_of(*list, *action->menu());
    add_gestures(*list);
    list->expandAll();
    list->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    dialog.setLayout(below({list, close_button(dialog)}));
    dialog.resize(560, 560);
    dialog.exec();
}

}  // namespace plimsoll
