#include "views/parts/language.h"

#include "views/parts/text.h"

#include <QDir>
#include <QFile>
#include <QFont>
#include <QGuiApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>
#include <QXmlStreamReader>

// Outside the namespace, as Qt asks for resources of a library.
static void use_languages() { Q_INIT_RESOURCE(languages); }

namespace plimsoll {

namespace {

const QString english = QStringLiteral("en");
const QString systems = QStringLiteral("system");
const QString key = QStringLiteral("language");
QString spoken = english;   // by the window's thread

// Buttons of Qt's dialogs, for systems without Qt's translations. Their English is looked up like our own.
[[maybe_unused]] constexpr const char* of_qt[] = {
    QT_TRANSLATE_NOOP("QPlatformTheme", "OK"),     QT_TRANSLATE_NOOP("QPlatformTheme", "Cancel"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Close"),  QT_TRANSLATE_NOOP("QPlatformTheme", "&Yes"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "&No"),    QT_TRANSLATE_NOOP("QPlatformTheme", "Save"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Open"),   QT_TRANSLATE_NOOP("QPlatformTheme", "Discard"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Apply"),  QT_TRANSLATE_NOOP("QPlatformTheme", "Retry"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Ignore"), QT_TRANSLATE_NOOP("QPlatformTheme", "Show Details..."),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Hide Details..."),
};

// Fonts with the language's letters, in which digits between them look well too; otherwise Qt takes any.
QStringList fonts_of(const QString& id) {
    if (id != QStringLiteral("ja")) return {};
    return {QStringLiteral("Noto Sans CJK JP"), QStringLiteral("Noto Sans JP"), QStringLiteral("IPAexGothic"),
            QStringLiteral("IPAPGothic"),       QStringLiteral("VL PGothic"),   QStringLiteral("Takao PGothic")};
}

QString file_of(const QString& id) { return QStringLiteral(":/languages/%1.ts").arg(id); }

// The forms of a message: one, or one for each number it distinguishes.
QStringList forms_of(QXmlStreamReader& xml) {
    QStringList forms;
    while (xml.readNextStartElement()) forms << xml.readElementText();
    return forms;
}

// What core asks for sentences, in any thread.
class Book : public Phrasebook {
public:
    explicit Book(const SentenceTranslator& from) : from_(from) {}
    std::string find(std::string_view pattern) const override {
        const std::string source(pattern);
        return from_.translate(nullptr, source.c_str(), nullptr, -1).toStdString();
    }

private:
    const SentenceTranslator& from_;
};

// English over another language.
class Untranslated : public QTranslator {
public:
    QString translate(const char*, const char* source, const char*, int) const override {
        return QString::fromUtf8(source);
    }
    bool isEmpty() const override { return false; }
};

}  // namespace

QStringList languages() {
    use_languages();
    QStringList ids{english};
    for (const QString& file : QDir(QStringLiteral(":/languages")).entryList({QStringLiteral("*.ts")}))
        ids << file.chopped(3);
    return ids;
}

QString name_of_language(const QString& id) {
    return id == english ? QStringLiteral("English") : QLocale(id).nativeLanguageName();
}

QString chosen_language() { return QSettings().value(key, systems).toString(); }

void choose_language(const QString& id) { QSettings().setValue(key, id); }

QString language_to_use(const QString& chosen) {
    const QStringList ours = languages();
    if (ours.contains(chosen)) return chosen;
    for (const QString& wished : QLocale::system().uiLanguages())
        if (const QString id = wished.section(u'-', 0, 0); ours.contains(id)) return id;
    return english;
}

QString language_spoken() { return spoken; }

QString worded(std::string_view said) {
    return QCoreApplication::translate("core", std::string(said).c_str());
}

QString worded_name(std::string_view said) {
    const auto colon = said.find(": ");
    return colon == said.npos ? worded(said) : worded(said.substr(0, colon)) + to_qt(said.substr(colon));
}

SentenceTranslator::SentenceTranslator(const QString& id) {
    use_languages();
    QFile file(file_of(id));
    if (!file.open(QIODevice::ReadOnly)) return;   // English needs none
    QXmlStreamReader xml(&file);
    QByteArray source;
    while (!xml.atEnd()) {
        if (!xml.readNextStartElement()) continue;
        if (xml.name() == u"message") {
            const bool counts = xml.attributes().value(QLatin1String("numerus")) == u"yes";
            while (xml.readNextStartElement()) {
                if (xml.name() == u"source") source = xml.readElementText().toUtf8();
                else if (xml.name() == u"translation")
                    sentences_.insert(source, counts ? forms_of(xml) : QStringList{xml.readElementText()});
                else xml.skipCurrentElement();
            }
        }
    }
}

// A language with one form uses it for every number, one with two has the singular first.
QString SentenceTranslator::translate(const char*, const char* source, const char*, int n) const {
    const auto found = sentences_.constFind(QByteArray::fromRawData(source, qsizetype(qstrlen(source))));
    if (found == sentences_.constEnd() || found->isEmpty()) return {};
    return found->at(n == 1 || found->size() == 1 ? 0 : 1);
}

WindowLanguage::WindowLanguage(const QString& id)
    : translator_(id), book_(translator_.isEmpty() ? nullptr : std::make_unique<Book>(translator_)),
      speaking_(book_.get()), before_(spoken) {
    if (!book_) return;
    spoken = id;
    QFont::insertSubstitutions(QGuiApplication::font().family(), fonts_of(id));
    if (qt_.load(QStringLiteral("qtbase_") + id, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&qt_);
    QCoreApplication::installTranslator(&translator_);
}

WindowLanguage::~WindowLanguage() {
    spoken = before_;
    if (!book_ || !QCoreApplication::instance()) return;
    QCoreApplication::removeTranslator(&translator_);
    QCoreApplication::removeTranslator(&qt_);
}

SpokenIn::SpokenIn(const QString& id) {
    if (id.isEmpty() || id == spoken) return;
    if (id == english) translator_ = std::make_unique<Untranslated>();
    else translator_ = std::make_unique<SentenceTranslator>(id);
    QCoreApplication::installTranslator(translator_.get());
}

SpokenIn::~SpokenIn() {
    if (translator_) QCoreApplication::removeTranslator(translator_.get());
}

}  // namespace plimsoll
