#include "views/parts/meanwhile.h"

#include "core/values/basics/phrase.h"
#include "views/parts/text.h"

#include <QApplication>
#include <QCoreApplication>
#include <QEventLoop>
#include <QFileInfo>
#include <QProgressDialog>
#include <QTimer>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace plimsoll {

namespace {

using std::chrono::milliseconds;

// What the two threads share; whoever is last gives it up.
struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    std::exception_ptr fault;

    bool done_within(milliseconds patience) {
        std::unique_lock lock(mutex);
        return changed.wait_for(lock, patience, [this] { return done; });
    }
};

constexpr milliseconds unnoticed{100}, until_said{400}, look_every{20};

// Until it is done or `wished` says that nobody wants to wait any more.
void wait_in_events(Shared& shared, QEventLoop::ProcessEventsFlags which, const std::function<bool()>& wished) {
    QEventLoop loop;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        if (shared.done_within(milliseconds(0)) || wished()) loop.quit();
    });
    look.start(look_every);
    loop.exec(which);
}

}  // namespace

bool done_meanwhile(const QString& file, std::function<void()> work) {
    const auto shared = std::make_shared<Shared>();
    std::thread([shared, work = std::move(work), book = Speaking::now()] {
        const Speaking words(book);
        std::exception_ptr fault;
        try {
            work();
        } catch (...) {
            fault = std::current_exception();
        }
        const std::lock_guard lock(shared->mutex);
        shared->fault = fault;
        shared->done = true;
        shared->changed.notify_all();
    }).detach();
    if (!shared->done_within(unnoticed)) {
        // Keys and clicks wait until there is a box that they belong to.
        const auto from = std::chrono::steady_clock::now();
        wait_in_events(*shared, QEventLoop::ExcludeUserInputEvents,
                       [&] { return std::chrono::steady_clock::now() - from > until_said; });
    }
    if (!shared->done_within(milliseconds(0))) {
        QProgressDialog box(
            plain_text(QCoreApplication::translate("Meanwhile", "Reading \"%1\"...").arg(QFileInfo(file).fileName())),
            QCoreApplication::translate("Meanwhile", "Cancel"), 0, 0, QApplication::activeWindow());
        box.setWindowModality(Qt::ApplicationModal);
        box.show();
        wait_in_events(*shared, QEventLoop::AllEvents, [&] { return box.wasCanceled(); });
    }
    if (!shared->done_within(milliseconds(0))) return false;
    if (shared->fault) std::rethrow_exception(shared->fault);
    return true;
}

Problems given_up(const QString& file) {
    const QString why = QCoreApplication::translate("Meanwhile", "Reading it was cancelled.");
    return {{Severity::error, QFileInfo(file).fileName().toStdString(), "", why.toStdString()}};
}

}  // namespace plimsoll
