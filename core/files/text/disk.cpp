#include "core/files/text/disk.h"

#include "core/values/basics/phrase.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = std::size_t{64} << 20;

Unexpected<Problems> failed(const fs::path& file, const std::string& message) {
    return Unexpected{Problems{{Severity::error, file.string(), "", message}}};
}

std::string reason() { return std::generic_category().message(errno); }

class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }
    int get() const { return fd_; }
    bool close() { return fd_ < 0 || ::close(std::exchange(fd_, -1)) == 0; }

private:
    int fd_;
};

// The sum of reads until the end or one byte too many; false on an I/O error.
bool read_all(int fd, std::string& text) {
    char block[1 << 16];
    while (text.size() <= most_bytes) {
        const auto n = ::read(fd, block, sizeof block);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n == 0;
        text.append(block, static_cast<std::size_t>(n));
    }
    return true;
}

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const auto n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

fs::path beside(const fs::path& target) {
    static std::atomic<unsigned> count{0};
    return target.parent_path() / (".plimsoll." + std::to_string(::getpid()) + '.' + std::to_string(count++) + ".tmp");
}

// A file of ours that is removed again unless it takes the target's name.
class Temporary {
public:
    explicit Temporary(fs::path path) : path_(std::move(path)) {}
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary() {
        if (!renamed_) ::unlink(path_.c_str());
    }
    bool rename_to(const fs::path& target) { return renamed_ = ::rename(path_.c_str(), target.c_str()) == 0; }

private:
    fs::path path_;
    bool renamed_ = false;
};

// So that the new name survives a power cut; a file system that cannot is no reason to fail.
void sync_directory(const fs::path& directory) {
    const Descriptor d(::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (d.get() >= 0) ::fsync(d.get());
}

// Why this target cannot be replaced, or nothing. `mode` becomes that of the file it replaces.
std::string objection(const fs::path& target, mode_t& mode) {
    struct stat info {};
    if (::stat(target.c_str(), &info) != 0) return errno == ENOENT ? "" : reason();
    if (!S_ISREG(info.st_mode)) return phrase("is not a regular file");
    mode = info.st_mode & 07777;
    return ::access(target.c_str(), W_OK) == 0 ? "" : reason();
}

// Through a symbolic link to the file it names, so that saving does not cut the link.
fs::path behind_links(const fs::path& target) {
    std::error_code error;
    if (!fs::is_symlink(target, error)) return target;
    const fs::path real = fs::weakly_canonical(target, error);
    return error ? target : real;
}

constexpr int reading = O_RDONLY | O_CLOEXEC | O_NONBLOCK;   // a pipe must not block

std::string why_unreadable(const Descriptor& file, struct stat& info) {
    if (file.get() < 0) return phrase("cannot be opened: {1}", reason());
    if (::fstat(file.get(), &info) != 0) return phrase("cannot be read: {1}", reason());
    return S_ISREG(info.st_mode) ? std::string() : phrase("is not a regular file");
}

}  // namespace

Expected<std::string, Problems> read_text(const fs::path& path) {
    const Descriptor file(::open(path.c_str(), reading));
    struct stat info {};
    if (const auto why = why_unreadable(file, info); !why.empty()) return failed(path, why);
    const bool too_large = info.st_size > static_cast<off_t>(most_bytes);
    std::string text;
    if (!too_large && !read_all(file.get(), text)) return failed(path, phrase("cannot be read: {1}", reason()));
    if (too_large || text.size() > most_bytes) return failed(path, phrase("is larger than 64 MiB"));
    return text;
}

Expected<bool, Problems> read_pieces(const fs::path& path, const std::function<bool(std::string_view)>& take) {
    const Descriptor file(::open(path.c_str(), reading));
    struct stat info {};
    if (const auto why = why_unreadable(file, info); !why.empty()) return failed(path, why);
    std::string piece(std::size_t{1} << 18, '\0');
    while (true) {
        const auto n = ::read(file.get(), piece.data(), piece.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return failed(path, phrase("cannot be read: {1}", reason()));
        if (n == 0 || !take(std::string_view(piece).substr(0, static_cast<std::size_t>(n)))) return true;
    }
}

Expected<bool, Problems> write_atomically(const fs::path& path, std::string_view text) {
    const fs::path target = behind_links(path);
    mode_t mode = 0;
    if (const auto why = objection(target, mode); !why.empty())
        return failed(path, phrase("cannot be written: {1}", why));
    const fs::path draft = beside(target);
    Descriptor out(::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (out.get() < 0) return failed(path, phrase("cannot be written: {1}", reason()));
    Temporary temporary(draft);
    if (mode != 0) ::fchmod(out.get(), mode);
    const bool written = write_all(out.get(), text) && ::fsync(out.get()) == 0 && out.close();
    if (!written || !temporary.rename_to(target))
        return failed(path, phrase("cannot be written: {1}", reason()));
    sync_directory(target.parent_path());
    return true;
}

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

}  // namespace plimsoll
