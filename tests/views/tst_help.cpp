// The help pages: all of them open, say what they are about, and lead to each other.
#include "registered_test.h"

#include "views/desk.h"

#include <QTextBlock>

using namespace plimsoll;

namespace {

QStringList links_of(const QTextDocument& document) {
    QStringList links;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto at = block.begin(); !at.atEnd(); ++at)
            if (const QString href = at.fragment().charFormat().anchorHref(); !href.isEmpty()) links << href;
    return links;
}

// Of a page that is read, headings are blocks of a level.
QString heading_of(const QTextDocument& document) {
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        if (block.blockFormat().headingLevel() == 1) return block.text();
    return {};
}

double luminance(const QColor& c) {
    const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

double contrast_of(const QColor& a, const QColor& b) {
    const double light = std::max(luminance(a), luminance(b)), dark = std::min(luminance(a), luminance(b));
    return (light + 0.05) / (dark + 0.05);
}

}  // namespace

class tst_help : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        use_test_settings();
        desk_ = std::make_unique<Desk>();
    }
    void cleanupTestCase() { desk_.reset(); }

    void every_page_opens_and_has_a_heading_data() { pages(); }
    void every_page_opens_and_has_a_heading() {
        QFETCH(QString, page);
        help().show_page(page);
        QCOMPARE(help().browser()->page(), page);
        QVERIFY(!heading_of(*help().browser()->document()).isEmpty());
        QCOMPARE(help().list()->currentItem()->text(), heading_of(*help().browser()->document()));
    }
    void every_link_leads_to_a_page_or_to_the_web_data() { pages(); }
    void every_link_leads_to_a_page_or_to_the_web() {
        QFETCH(QString, page);
        help().show_page(page);
        for (const QString& link : links_of(*help().browser()->document())) {   // a page may have none
            if (QUrl(link).scheme().startsWith("http")) continue;
            help().show_page(page);
            help().browser()->setSource(help().browser()->source().resolved(QUrl(link)));
            QVERIFY2(!heading_of(*help().browser()->document()).isEmpty(), qPrintable(link));
        }
    }
    void no_page_is_without_a_way_to_it() {
        help().show_page("index");
        QStringList linked{"index"};
        for (const QString& link : not_empty(links_of(*help().browser()->document())))
            linked << QString(link).remove(".md");
        for (const HelpPage& page : not_empty(help_pages()))
            QVERIFY2(linked.contains(page.name), qPrintable(page.name));
    }
    void f1_opens_the_first_page_beside_the_window() {
        help().close();
        desk_->window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&desk_->window));
        desk_->window.tiles()->tiles()[0]->setFocus();
        QTest::keyClick(&desk_->window, Qt::Key_F1);
        QTRY_VERIFY(help().isVisible());
        QVERIFY(!help().isModal());
        QCOMPARE(help().browser()->page(), QString("index"));
    }
    void the_list_and_the_way_back_lead_to_pages() {
        help().show_page("index");
        help().list()->setCurrentRow(2);
        const QString second = help().browser()->page();
        QVERIFY(second != "index");
        help().browser()->backward();
        QCOMPARE(help().browser()->page(), QString("index"));
        QCOMPARE(help().list()->currentRow(), 0);
    }
    void text_and_links_are_readable_on_either_ground_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void text_and_links_are_readable_on_either_ground() {
        QFETCH(bool, dark);
        help().show_page("index");
        desk_->window.set_theme(dark ? Theme::dark : Theme::light);
        QCoreApplication::processEvents();
        const QPalette palette = help().browser()->palette();
        const QColor ground = palette.color(QPalette::Base);
        QVERIFY(contrast_of(palette.color(QPalette::Text), ground) > 7);
        const QTextDocument& document = *help().browser()->document();
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
            for (auto at = block.begin(); !at.atEnd(); ++at) {
                const QTextCharFormat format = at.fragment().charFormat();
                if (!format.isAnchor()) continue;
                const QColor link = format.foreground().color();
                QVERIFY2(contrast_of(link, ground) > 4.5, qPrintable(link.name()));
            }
    }

private:
    HelpWindow& help() { return *desk_->window.help(); }
    static void pages() {
        QTest::addColumn<QString>("page");
        for (const HelpPage& page : help_pages()) QTest::newRow(qPrintable(page.name)) << page.name;
    }

    std::unique_ptr<Desk> desk_;
};

PLIMSOLL_TEST(tst_help)
#include "tst_help.moc"
