#pragma once
// A visit to the window as a user starts it, by keys, clicks and the palette alone; each step may leave a picture.
//
//   Visit v;
//   v.find("175b on frontier", "175B on Frontier");    // Ctrl+K, typed, Enter
//   v.set("layout.tensor_parallel", "3");              // found in the palette, typed, Enter
//   v.picture("07-does-not-divide");                   // into the folder that PLIMSOLL_WALK names; else nothing
#include "views/replies.h"
#include "views/session_desk.h"

#include "core/values/knobs/in_words.h"
#include "views/inputs/knob_row.h"
#include "views/start/start_page.h"

namespace plimsoll {

inline void keep_picture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("PLIMSOLL_WALK");
    if (folder.isEmpty()) return;
    QVERIFY(QDir().mkpath(folder));
    const QString path = QDir(folder).filePath(name + ".png");
    QVERIFY2(widget.grab().save(path), qPrintable(path));
}

// A picture of a dialog before it is closed.
inline Reply keep_picture_and_close(const QString& name) {
    return [name](QDialog& dialog) {
        keep_picture(dialog, name);
        dialog.reject();
    };
}

struct Visit {
    Workspace workspace{library()};
    MainWindow window{workspace, MainWindow::Session::remembered};

    explicit Visit(const QString& example = {}) {
        window.resize(1400, 900);
        window.show();
        window.begin({});
        settle();
        if (!example.isEmpty()) find(example, example);
    }

    void settle() {
        workspace.told();
        QCoreApplication::processEvents();
    }
    // After a dialog another window may have it.
    void take_keyboard() {
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
    }
    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        take_keyboard();
        QTest::keyClick(&window, Qt::Key(key), modifiers);
        settle();
    }
    // What stands first has to be this; changes of the plan before may go.
    void find(const QString& typed, const QString& first) {
        const Replies replies({press_discard()});
        take_keyboard();
        QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
        Palette& palette = *window.palette_of_commands();
        QVERIFY(palette.isVisible());
        QTest::keyClicks(palette.field(), typed);
        QVERIFY2(palette.marked().startsWith(first), qPrintable(palette.labels().mid(0, 5).join(" | ")));
        QTest::keyClick(palette.field(), Qt::Key_Return);
        settle();
    }
    void set(const char* id, const QString& text) {
        const QString label = QString::fromStdString(label_in_words(*find_knob(id), workspace.scenario()));
        find(label, label);
        auto* box = window.findChild<ValueBox*>(QString::fromLatin1(id) + ".editor");
        QVERIFY2(box, id);
        auto* field = box->findChild<QLineEdit*>();
        QTRY_VERIFY2(box->hasFocus() || field->hasFocus(), id);
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, text);
        QTest::keyClick(field, Qt::Key_Return);
        settle();
    }
    // Offers take a search beside the window; the button of the first that says `words` is clicked.
    void take_offer(const QString& words = {}) {
        QPushButton* offer = nullptr;
        const auto there = [&] {
            for (QPushButton* button : window.verdict()->buttons())
                if (button->text().contains(words)) return offer = button, true;
            return false;
        };
        QTRY_VERIFY2(there(), qPrintable(offers().join(" | ")));
        offer->click();   // it may be behind "More"
        settle();
    }
    QStringList offers() {
        QStringList texts;
        for (const QPushButton* button : window.verdict()->buttons()) texts << button->text();
        return texts;
    }
    void picture(const QString& name) {
        settle();
        for (Chart* chart : window.visible_charts()) QTRY_VERIFY(chart->paints() > 0);
        keep_picture(window, name);
    }

    const Answer& answer() { return *workspace.told().last_good; }
    const Tile& tile(int i) { return *window.tiles()->tiles()[std::size_t(i)]; }
    QString sentence() { return window.verdict()->sentence(); }
    QUndoStack& history() { return workspace.document().history(); }
    Chart* chart(const std::string& id) {
        for (Chart* c : window.visible_charts())
            if (c->figure_id() == id) return c;
        return nullptr;
    }
    // Of a table of two columns or more in view: the cell beside this label.
    QString beside(const QString& table, const QString& label, int column = 1) {
        for (const QTableWidget* t : window.findChildren<QTableWidget*>())
            for (int row = 0; t->accessibleName() == table && row < t->rowCount(); ++row)
                if (t->item(row, 0)->text() == label) return t->item(row, column)->text();
        return {};
    }

private:
    static Reply press_discard() { return plimsoll::press(QMessageBox::Discard); }
};

}  // namespace plimsoll
