#pragma once
// A shown window over the example plan, and hands to use it with.
#include <QtTest>

#include "shipped.h"
#include "views/window/main_window.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSettings>
#include <QStyleOptionSlider>
#include <QTemporaryDir>

namespace plimsoll {

// The shipped presets with the published runs compared, which one program does once for all its windows.
struct ComparedWorkspace : Workspace {
    ComparedWorkspace() : Workspace(plimsoll::library()) {
        static const auto record = std::make_shared<const TrackRecord>(track_record(plimsoll::library()));
        set_record(record);
    }
};

// A fresh window over the example plan, shown and painted. Nothing here waits for the clock: what a test
// needs is asked for (snapshot, a replot) or waited for until it is there.
struct Desk {
    ComparedWorkspace workspace;
    MainWindow window{workspace, MainWindow::Session::fresh};
    Desk() {
        window.resize(1400, 900);
        window.show();
        // The stops of the node slider are the last to arrive.
        const auto complete = [this] { return painted() && !window.inputs()->nodes()->stops().empty(); };
        if (!QTest::qWaitFor(complete, patience)) qFatal("the window is not complete");
    }
    static constexpr int patience = 180000;  // milliseconds, for machines that are shared

    // Every chart in view shows the present plan.
    bool painted() {
        for (Chart* c : window.visible_charts())
            if (c->paints() == 0 || !c->figure()) return false;
        return true;
    }
    // The edits of this turn are priced and shown.
    void settle() {
        workspace.told();
        QCoreApplication::processEvents();
    }
    Chart* chart(const std::string& id) {
        for (Chart* c : window.visible_charts())
            if (c->figure_id() == id) return c;
        return nullptr;
    }
    QSlider* nodes() { return window.inputs()->nodes()->slider(); }
    template <class T>
    T* find(const char* name) {
        return window.findChild<T*>(QString::fromLatin1(name));
    }

    void type(const char* name, const QString& text) {
        auto* box = find<ValueBox>(name);
        QVERIFY(box);
        auto* edit = box->findChild<QLineEdit*>();
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
        QTest::keyClick(box, Qt::Key_Return);
        settle();
    }
    QString tile(int i) { return window.tiles()->tiles()[i]->content().value; }
};

inline QPoint handle_of(QSlider* slider, int position) {
    QStyleOptionSlider option;
    option.initFrom(slider);
    option.orientation = Qt::Horizontal;
    option.minimum = slider->minimum();
    option.maximum = slider->maximum();
    option.sliderPosition = option.sliderValue = position;
    return slider->style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, slider).center();
}

inline void drag(QSlider* slider, int to) {
    const QPoint from = handle_of(slider, slider->value()), end = handle_of(slider, to);
    QTest::mousePress(slider, Qt::LeftButton, {}, from);
    for (int i = 1; i <= 10; ++i) QTest::mouseMove(slider, from + (end - from) * i / 10);
    QTest::mouseRelease(slider, Qt::LeftButton, {}, end);
}

// Keeps tests away from the settings of whoever runs them.
inline void use_test_settings() {
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QStandardPaths::setTestModeEnabled(true);
}

}  // namespace plimsoll
