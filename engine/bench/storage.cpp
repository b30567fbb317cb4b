#include "engine/bench/buffers.h"
#include "engine/bench/suites.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <unistd.h>

namespace plimsoll::engine {
namespace {

constexpr std::size_t piece = std::size_t(4) << 20;

// A file that nobody else sees and that is gone with the process, whatever ends it.
class File {
public:
    File(const std::filesystem::path& folder, std::size_t bytes) : bytes_(bytes), data_(piece) {
        std::string name = (folder / "plimsoll-bench-XXXXXX").string();
        descriptor_ = mkstemp(name.data());
        if (descriptor_ < 0) fail("made in " + folder.string());
        else unlink(name.c_str());
        // Nothing that a file system could compress away.
        write_normals(data_.data(), piece, {1, Type::byte, Fill::normal}, 0);
    }
    ~File() { if (descriptor_ >= 0) close(descriptor_); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    void write() {
        over([&](std::size_t at, std::size_t n) { return pwrite(descriptor_, data_.data(), n, off_t(at)); }, "written");
        if (problem_.empty() && fsync(descriptor_) != 0) fail("synchronised");
    }
    void read() {
        std::vector<char> back(piece);
        over([&](std::size_t at, std::size_t n) {
            const ssize_t got = pread(descriptor_, back.data(), n, off_t(at));
            if (got == ssize_t(n) && std::memcmp(back.data(), data_.data(), n) != 0)
                problem_ = "what is read is not what was written";
            return got;
        }, "read");
    }
    void drop_from_cache() {
        posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED);
        resident_ = resident_ || resident();
    }
    bool was_resident() const { return resident_; }  // the system kept some of it in memory all the same
    const std::string& problem() const { return problem_; }

    // Names are those of statfs(2).
    std::string system() const {
        struct statfs about {};
        fstatfs(descriptor_, &about);
        const std::pair<long, const char*> known[] = {
            {0xEF53, "ext4"},        {0x58465342, "xfs"}, {0x9123683E, "btrfs"},  {0x01021994, "tmpfs"},
            {0x794C7630, "overlay"}, {0x6969, "nfs"},     {0x0BD00BD0, "lustre"}, {0x47504653, "gpfs"},
            {0x2FC12FC1, "zfs"},     {0x65735546, "fuse"}};
        for (const auto& [magic, name] : known) if (long(about.f_type) == magic) return name;
        return "type " + std::to_string(long(about.f_type));
    }

private:
    template <class F> void over(F f, const char* done) {
        for (std::size_t at = 0; at < bytes_ && problem_.empty(); at += piece)
            if (const std::size_t n = std::min(piece, bytes_ - at); f(at, n) != ssize_t(n)) fail(done);
    }
    void fail(const std::string& done) { problem_ = "the file could not be " + done + ": " + std::strerror(errno); }
    bool resident() const {
        void* map = mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, descriptor_, 0);
        if (map == MAP_FAILED) return true;
        const std::size_t page = std::size_t(sysconf(_SC_PAGESIZE));
        std::vector<unsigned char> pages((bytes_ + page - 1) / page);
        const bool told = mincore(map, bytes_, pages.data()) == 0;
        munmap(map, bytes_);
        return !told || std::any_of(pages.begin(), pages.end(), [](unsigned char p) { return p & 1; });
    }

    int descriptor_ = -1;
    std::size_t bytes_;
    std::vector<char> data_;
    std::string problem_;
    bool resident_ = false;
};

template <class Real, class Wide> Point storage_point(const Bench<Real, Wide>& b, bool reading, int writers) {
    const std::size_t bytes = std::size_t(b.options.bench_bytes);
    return {"storage",
            {{"operation", reading ? "read" : "write"}, {"ranks", writers}},
            double(bytes),
            0,
            [&b, reading, writers, bytes]() -> Expected<Work, std::string> {
                const auto& folder = b.options.storage_directory;
                const bool active = b.ranks.rank() < writers;
                const auto file = std::make_shared<File>(
                    folder.empty() ? std::filesystem::temp_directory_path() : std::filesystem::path(folder), bytes);
                if (active && reading && file->problem().empty()) file->write();
                if (!file->problem().empty()) return Unexpected{file->problem()};
                Work work{.run =
                              [file, active, reading](std::size_t) {
                                  if (active) reading ? file->read() : file->write();
                              },
                          .together = true,
                          .busy = false};
                if (reading)
                    work.before = [file, active](std::size_t) {
                        if (active) file->drop_from_cache();
                    };
                work.check = [file] { return file->problem(); };
                work.finish = [file, &b](nlohmann::ordered_json& line, const Timing&) {
                    double cached = file->was_resident();
                    b.ranks.all_reduce(&cached, 1, Type::f64, Reduction::max);
                    line["file_system"] = file->system();
                    if (cached > 0) line["flags"].push_back("cached");
                };
                return work;
            }};
}

}  // namespace

// Bytes are those of each rank that takes part.
template <class Real, class Wide> std::vector<Point> storage_points(const Bench<Real, Wide>& b) {
    std::vector<Point> points;
    for (const bool reading : {false, true}) {
        points.push_back(storage_point(b, reading, b.ranks.size()));
        if (b.ranks.size() > 1) points.push_back(storage_point(b, reading, 1));
    }
    return points;
}
PLIMSOLL_POINTS(storage_points);

}  // namespace plimsoll::engine
