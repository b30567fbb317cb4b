#include "core/files/presets/site_job_json.h"

namespace plimsoll::files {
namespace {

constexpr std::size_t most_lines = 1000, most_files = 20;
constexpr NumberRange count_range{1, 1024};

// ["--account={account}", "-S 8"]
constexpr TextList text_lines{most_lines, 0, most_lines};

constexpr auto file_fields = std::tuple{
    text("name", &SiteFile::name).needed().matching(R"(^[A-Za-z0-9_][A-Za-z0-9._-]*$)").about("Plain file name"),
    Field{"lines", &SiteFile::lines, text_lines}.needed().about("Of the file"),
};
static_assert(members_in(file_fields) == members_of<SiteFile>, "every member has a row");

struct FileList {
    OrderedJson schema() const { return list_schema(object_schema(file_fields), 0, most_files); }
    std::optional<std::vector<SiteFile>> read(const Reader& at) const { return all.read(at); }
    OrderedJson write(const std::vector<SiteFile>& files) const { return files.empty() ? OrderedJson() : all.write(files); }
    std::string expected() const { return all.expected(); }
    List<SiteFile, decltype(file_fields)> all{file_fields, most_files};
};

// Zero is what a file says by saying nothing.
struct Count {
    OrderedJson schema() const { return number_schema("integer", count_range); }
    std::optional<int> read(const Reader& at) const { return at.whole(count_range); }
    OrderedJson write(int v) const { return v == 0 ? OrderedJson() : OrderedJson(v); }
    std::string expected() const { return a_whole_number(count_range); }
};

constexpr auto job_fields = std::tuple{
    text("queue", &SiteJob::queue).about("Where a short job goes unless somebody says otherwise"),
    Field{"ranks_per_node", &SiteJob::ranks_per_node, Count{}}.about("Absent: one for every device"),
    Field{"cores_per_rank", &SiteJob::cores_per_rank, Count{}}.about("Of the cores a job may use"),
    Field{"directives", &SiteJob::directives, text_lines}.about("Without the scheduler's prefix: --account={account}"),
    Field{"environment", &SiteJob::environment, text_lines}.about("Lines of shell before the launch"),
    text("launch", &SiteJob::launch).needed()
        .matching(R"(\{engine\})")
        .about("What starts the ranks; {engine} is the program with its arguments, $RUN the job's folder"),
    Field{"files", &SiteJob::files, FileList{}}.about("Written beside the script, word for word"),
    text("note", &SiteJob::note).about("A sentence for whoever submits the job"),
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

OrderedJson SiteJobCodec::schema() const { return object_schema(job_fields); }

OrderedJson SiteJobCodec::write(const SharedSiteJob& job) const { return job ? write_fields(job_fields, *job) : OrderedJson(); }

}  // namespace plimsoll::files
