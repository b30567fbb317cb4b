#include "core/files/presets/site_job_json.h"

namespace plimsoll::files {
namespace {

// ["--account={account}", "-S 8"]
struct TextLines {
    std::optional<std::vector<std::string>> read(const Reader& at) const {
        if (!at.array(1000)) return std::nullopt;
        std::vector<std::string> all;
        for (const Reader& element : at.elements())
            if (auto line = element.text()) all.push_back(std::move(*line));
        return all;
    }
    OrderedJson write(const std::vector<std::string>& all) const { return all.empty() ? OrderedJson() : OrderedJson(all); }
    std::string expected() const { return "a list of texts"; }
};

constexpr auto file_fields = std::tuple{
    text("name", &SiteFile::name).needed(),
    Field{"lines", &SiteFile::lines, TextLines{}}.needed(),
};
static_assert(members_in(file_fields) == members_of<SiteFile>, "every member has a row");

struct FileList {
    std::optional<std::vector<SiteFile>> read(const Reader& at) const { return all.read(at); }
    OrderedJson write(const std::vector<SiteFile>& files) const { return files.empty() ? OrderedJson() : all.write(files); }
    std::string expected() const { return all.expected(); }
    List<SiteFile, decltype(file_fields)> all{file_fields, 20};
};

// Zero is what a file says by saying nothing.
struct Count {
    std::optional<int> read(const Reader& at) const { return at.whole({1, 1024}); }
    OrderedJson write(int v) const { return v == 0 ? OrderedJson() : OrderedJson(v); }
    std::string expected() const { return a_whole_number({1, 1024}); }
};

constexpr auto job_fields = std::tuple{
    text("queue", &SiteJob::queue),
    Field{"ranks_per_node", &SiteJob::ranks_per_node, Count{}},
    Field{"cores_per_rank", &SiteJob::cores_per_rank, Count{}},
    Field{"directives", &SiteJob::directives, TextLines{}},
    Field{"environment", &SiteJob::environment, TextLines{}},
    text("launch", &SiteJob::launch).needed(),
    Field{"files", &SiteJob::files, FileList{}},
    text("note", &SiteJob::note),
};
static_assert(members_in(job_fields) == members_of<SiteJob>, "every member has a row");

}  // namespace

std::optional<SharedSiteJob> SiteJobCodec::read(const Reader& at) const {
    const auto errors = at.findings().errors();
    SiteJob job;
    read_fields(job_fields, at, job);
    if (at.findings().errors() != errors) return std::nullopt;
    for (const std::string& problem : problems(job)) at.error(problem);
    if (at.findings().errors() != errors) return std::nullopt;
    return site_job(std::move(job));
}

OrderedJson SiteJobCodec::write(const SharedSiteJob& job) const { return job ? write_fields(job_fields, *job) : OrderedJson(); }

}  // namespace plimsoll::files
