#pragma once
// The pages of resources/help, in a window of their own, and the list of keyboard shortcuts.
//
//   HelpWindow* help = new HelpWindow(window);  help->show_page("trust");
//
// Every file resources/help/NAME.md is a page; it is compiled in as :/help/NAME.md, and as :/help/ID/NAME.md in another
// language that has it, resources/help/ID/NAME.md. The page "index" comes first and gives the order of the others by
// its links; pages that it does not link follow by name.

#include <QDialog>
#include <QListWidget>
#include <QTextBrowser>

class QLabel;

namespace plimsoll {

struct HelpPage {
    QString name;   // "trust"
    QString title;  // its first heading: "How far to trust it"
};
std::vector<HelpPage> help_pages();

// What F1 shows while this widget has the keyboard: of an input the page that speaks of it, of a page of the window the
// help page about it; otherwise the index.
struct HelpTopic {
    QString page, word;
};
HelpTopic help_topic_of(const QWidget*);

// Shows a page of Markdown with its tables ruled. Links to pages are followed, others are opened in the web browser.
class HelpBrowser : public QTextBrowser {
    Q_OBJECT
public:
    explicit HelpBrowser(QWidget* parent = nullptr);
    QString page() const;  // the name of what is shown

protected:
    void doSetSource(const QUrl& url, QTextDocument::ResourceType type) override;
    QVariant loadResource(int type, const QUrl& url) override;
    void changeEvent(QEvent*) override;

private:
    void rule_tables();
};

class HelpWindow : public QDialog {
    Q_OBJECT
public:
    explicit HelpWindow(QWidget* parent = nullptr);

    // And the window, in front of the others; an unknown name shows the index. The page is scrolled to the word.
    void show_page(const QString& name, const QString& word = {});
    void show_news();  // what changed from version to version
    QListWidget* list() const { return list_; }
    HelpBrowser* browser() const { return browser_; }

private:
    void open_page(const QString& name);
    void mark_page(const QUrl& url);

    std::vector<HelpPage> pages_;
    QListWidget* list_;
    HelpBrowser* browser_;
    QLabel* english_;   // says so of a page that the window's language lacks
};

// Help > Keyboard shortcuts: every action of the window that has one, read from its menus.
void show_shortcuts(QWidget* window);

}  // namespace plimsoll
