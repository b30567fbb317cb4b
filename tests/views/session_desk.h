#pragma once
// Windows as a user starts them, in a home of their own, and what tests of files and sessions look at.
#include "views/desk.h"

#include "views/document/recovery.h"

#include <QSettings>

namespace plimsoll {

// Settings, presets and unsaved changes of a test class lie in a folder that goes with it. Before anything else:
//
//   void initTestCase() { home_.use("tst_saving"); }
//   void init() { home_.clear(); }
class TestHome {
public:
    void use(const char* name) {
        use_test_settings();
        QCoreApplication::setOrganizationName("plimsoll-tests");
        QCoreApplication::setApplicationName(name);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, dir_.path());
        qputenv("HOME", dir_.path().toUtf8());
        QVERIFY2(default_recovery().startsWith(dir_.path()), qPrintable(default_recovery()));
    }
    void clear() {
        QSettings().clear();
        QDir(default_recovery()).removeRecursively();
    }
    QString path() const { return dir_.path(); }

private:
    QTemporaryDir dir_;
};

inline void set_tokens(Document& document, double tokens) {
    Scenario next = document.scenario();
    next.recipe.tokens = tokens;
    document.edit(next, "Tokens");
}

inline QByteArray bytes_of(const QString& path) {
    QFile file(path);
    return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
}

// The menu entry of this text, without its mnemonic and dots.
inline QAction* menu_action(QWidget& window, const QString& text) {
    for (QAction* action : window.findChildren<QAction*>())
        if (action->text().remove('&').remove("...") == text) return action;
    return nullptr;
}

inline constexpr const char* neox = PLIMSOLL_PRESETS_DIR "/scenarios/gpt-neox-20b-a100.json";

// A window as a user starts it.
struct Started {
    ComparedWorkspace workspace;
    MainWindow window{workspace, MainWindow::Session::remembered};
    explicit Started(const QString& file = {}) {
        window.show();
        window.begin(file);
        workspace.told();
    }
    void edit(double tokens = 300e9) {
        Scenario next = workspace.scenario();
        next.recipe.tokens = tokens;
        workspace.propose(next, "Tokens");
        workspace.told();
    }
};

inline double tokens_in(const QString& path) {
    const auto plan = load_scenario(path, library());
    return plan ? plan->recipe.tokens : 0;
}

// Somebody else's hand in the file of a plan.
inline void write_elsewhere(const QString& path, double tokens) {
    Document other(library());
    QVERIFY(!has_errors(other.open(path)));
    Scenario next = other.scenario();
    next.recipe.tokens = tokens;
    other.edit(next, "Tokens");
    QVERIFY(other.save(path).empty());
}

inline constexpr double edited_tokens = 300e9;

// A fresh window whose plan has an edit that is not saved.
struct EditedDesk : Desk {
    EditedDesk() { type("recipe.tokens.editor", "300B"); }
};

inline const QStringList asked_about_changes{"Unsaved changes"};

}  // namespace plimsoll
