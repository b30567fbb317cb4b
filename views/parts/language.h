#pragma once
// The language that the window speaks.
//
//   const WindowLanguage language(language_to_use(chosen_language()));   // before the first widget, to the end
//   label->setText(worded(knob.label));                                  // a name or sentence of core, by its English
//
// A language is a file resources/languages/ID.ts, as Qt Linguist reads and writes it. It is a resource of the program
// and read from there: building needs no tools for it. A sentence that it lacks is shown in English. Sentences that
// core puts together (core/values/basics/phrase.h) are spoken by the thread of the window and by the work beside it
// (LatestJob). What writes a file says so with Speaking(nullptr): files are the same in every language.

#include "core/values/basics/phrase.h"

#include <QHash>
#include <QString>
#include <QStringList>
#include <QTranslator>

#include <memory>
#include <string_view>

namespace plimsoll {

QStringList languages();                              // ids: "en", and those that the program has a file of
QString name_of_language(const QString& id);          // as its speakers write it: "日本語"
QString chosen_language();                            // in the settings: an id, or "system"
void choose_language(const QString& id);              // for the next start
QString language_to_use(const QString& chosen);       // an id; where the system's is none of ours: "en"

QString language_spoken();                            // the id of the WindowLanguage that lives; without one: "en"

QString worded(std::string_view english);
QString worded_name(std::string_view english);        // where a value follows it after a colon: "Optimum: 2.2 h"

// A sentence that a file keeps in English, as the window says it: "Width 768, two tensor ranks" is "幅 768、2
// テンソルランク". Logs, plans and records of calibrations are the same in every language, and what they say of a run
// has numbers in it. It is recognised by the pattern it was made from, whoever made it; what no pattern fits stays.
QString worded_kept(std::string_view english);

// Looks sentences up by their English alone, whichever class shows them.
class SentenceTranslator : public QTranslator {
public:
    explicit SentenceTranslator(const QString& id);
    QString translate(const char* context, const char* source, const char* disambiguation, int n) const override;
    bool isEmpty() const override { return sentences_.isEmpty(); }

private:
    QHash<QByteArray, QStringList> sentences_;        // more than one form where the sentence counts something
};

// Of the application and of the thread it is made in, while it lives.
class WindowLanguage {
public:
    explicit WindowLanguage(const QString& id);
    ~WindowLanguage();
    WindowLanguage(const WindowLanguage&) = delete;
    WindowLanguage& operator=(const WindowLanguage&) = delete;

private:
    QTranslator qt_;                  // Qt's own dialogs, where its translations are installed
    SentenceTranslator translator_;
    std::unique_ptr<Phrasebook> book_;
    Speaking speaking_;
    QString before_;                  // what was spoken
};

// tr() and worded() speak another language than the window's while it lives: what is drawn for a file.
class SpokenIn {
public:
    explicit SpokenIn(const QString& id);   // empty: the window's
    ~SpokenIn();
    SpokenIn(const SpokenIn&) = delete;
    SpokenIn& operator=(const SpokenIn&) = delete;

private:
    std::unique_ptr<QTranslator> translator_;
};

}  // namespace plimsoll
