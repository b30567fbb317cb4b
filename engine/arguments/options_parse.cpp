#include "engine/arguments/options_parse.h"

#include "core/files/text/disk.h"
#include "engine/bench/bench.h"
#include "engine/comm/codec.h"
#include "engine/kernels/blas.h"
#include "engine/model/parameters.h"
#include "engine/run/mutation.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <sstream>

namespace plimsoll::engine {

namespace {

template <class E>
auto named(const std::map<std::string, E>& names) {
    return CLI::CheckedTransformer(names, CLI::ignore_case);
}

void describe_model(CLI::App& app, ModelOptions& m) {
    app.option_defaults()->group("Model");
    app.add_option("--model,--flavour", m.flavour,
                   "gpt2 (LayerNorm, GELU, learned positions, tied head) or llama (RMSNorm, SwiGLU, rotary, own head)")
        ->transform(named<Flavour>({{"gpt2", Flavour::gpt2}, {"llama", Flavour::llama}}));
    app.add_option("--layers", m.layers, "decoder layers");
    app.add_option("--width", m.width, "of the residual stream");
    app.add_option("--heads", m.heads, "query heads");
    app.add_option("--kv-heads", m.kv_heads, "key-value heads; 0: as many as heads");
    app.add_option("--ffn", m.ffn, "width of the feed-forward part; 0: 4 x width, llama 8/3 x width rounded up to 64");
    app.add_option("--vocabulary", m.vocabulary, "tokens");
    app.add_option("--sequence", m.sequence, "tokens of a sample");
}

void describe_layout(CLI::App& app, LayoutOptions& l) {
    app.option_defaults()->group("Layout");
    app.add_option("--dp", l.data, "data-parallel ranks");
    app.add_option("--tp", l.tensor, "tensor-parallel ranks");
    app.add_option("--pp", l.pipeline, "pipeline stages");
    app.add_option("--chunks", l.chunks, "model chunks a stage: above 1 interleaved 1F1B");
    app.add_flag("--sp", l.sequence_parallel, "sequence parallelism among tensor ranks");
    app.add_option("--zero", l.zero, "ZeRO stage, 0 to 3");
    app.add_option("--recompute", l.recompute, "none, selective (norms and activations) or full (whole layers)")
        ->transform(named<Recompute>(
            {{"none", Recompute::none}, {"selective", Recompute::selective}, {"full", Recompute::full}}));
    app.add_option("--micro-batch", l.micro_batch, "sequences of a micro-batch");
    app.add_option("--accumulate", l.accumulate, "micro-batches a rank and step");
    app.add_flag("--overlap", l.overlap, "start gradient reductions while the backward pass goes on");
    app.add_option("--codec", l.codecs,
                   "DIMENSION=CODEC,...: data, tensor or pipeline = fp8, fixed:BITS (2 to 16), topk:SHARE (data: with "
                   "error feedback; for sgd) or none");
}

void describe_training(CLI::App& app, TrainOptions& t) {
    app.option_defaults()->group("Training");
    app.add_option("--steps", t.steps, "optimizer steps");
    app.add_option("--optimizer", t.optimizer, "adamw or sgd")
        ->transform(named<UpdateRule>({{"adamw", UpdateRule::adamw}, {"sgd", UpdateRule::sgd}}));
    app.add_option("--rate", t.rate, "learning rate");
    app.add_option("--decay", t.decay, "weight decay of matrices");
    app.add_option("--clip", t.clip, "largest gradient norm; 0: any");
    app.add_option("--warmup", t.warmup, "steps over which the rate rises");
    app.add_option("--cooldown", t.cooldown, "last steps, over which it falls to zero");
    app.add_option("--seed", t.seed, "of weights and data");
    app.add_option("--data", t.source,
                   "synthetic (a Markov chain whose entropy is known) or text (a book, byte by byte)")
        ->transform(named<SampleSource>({{"synthetic", SampleSource::synthetic}, {"text", SampleSource::text}}));
    app.add_option("--text", t.text, "a file instead of the bundled book");
    app.add_option("--weights", t.weights, "tensor file with the initial weights");
    app.add_option("--tokens", t.tokens, "tensor file with the samples");
}

void describe_run(CLI::App& app, Options& o) {
    app.option_defaults()->group("Run");
    app.add_option("--precision", o.precision, "fp64, fp32 or bf16 (fp32 master weights; on the CPU products only)")
        ->transform(
            named<RealFormat>({{"fp64", RealFormat::fp64}, {"fp32", RealFormat::fp32}, {"bf16", RealFormat::bf16}}));
    app.add_option("--device", o.device, "cpu, cuda (NVIDIA) or hip (AMD)")
        ->transform(named<Platform>({{"cpu", Platform::cpu}, {"cuda", Platform::cuda}, {"hip", Platform::hip}}));
    app.add_option("--threads", o.threads, "a rank; 0: all cores for one rank, else 1");
    app.add_option("--memory-limit", o.memory_limit, "bytes a rank may take; 0: what the device has")
        ->transform(CLI::AsSizeValue(false));
    app.add_option("--storage-directory", o.storage_directory,
                   "for --bench storage; none: the system's folder for temporary files");
    app.add_option("--bench", o.bench, "measure kernels and links instead of training: see --bench help");
    app.add_option("--bench-seconds", o.bench_seconds, "for a point, apart from its warm-up");
    app.add_option("--bench-size", o.bench_bytes,
                   "bytes of the largest message; benches of memory take four times as much")
        ->transform(CLI::AsSizeValue(false));
    app.add_option("--bench-visits", o.bench_visits, "of every point: one that changes by a tenth is flagged unstable");
    app.add_flag("--bench-own", o.bench_own,
                 "products and attention of the model's own shapes only, and no broadcasts");
    app.add_option("--bench-dimension", o.bench_dimension,
                   "collectives and messages over this dimension only: data, tensor or pipeline")
        ->check(CLI::IsMember({"data", "tensor", "pipeline"}));
    app.add_option("--bench-cache", o.bench_cache,
                   "where collectives find their buffers: warm, cold (walking around twice the last cache) or "
                   "as-trained (data ranks cold)")
        ->transform(named<BenchCache>(
            {{"as-trained", BenchCache::as_trained}, {"warm", BenchCache::warm}, {"cold", BenchCache::cold}}));
    app.add_option("--calibrate", o.calibrate,
                   "follow this plan of benches and layouts (plimsoll calibrate --plan), predicting what is held back");
    app.add_option("--resume", o.resume,
                   "with --calibrate: a log of the same plan, whose complete measurements are taken over");
    app.add_option("--idle-seconds", o.idle_seconds,
                   "rest before the first step and after the last, where energy can be read: what is used beyond it");
    app.add_option("--runs", o.runs, "file with the options of one run a line, done one after the other");
    app.add_flag("--predict", o.predict, "print the memory of every rank and stop");
    app.option_defaults()->group("Log");
    app.add_option("--out", o.out, "write the log to this file too");
    app.add_option("--run", o.run, "id on every line of the log");
    app.add_option("--dump", o.dump, "tensor file for step 1's gradients and the last weights");
    app.add_option("--check", o.check, "say what is wrong with a log, and stop");
    app.add_option("--watchdog", o.watchdog, "seconds without progress after which the run is ended");
    app.add_option("--cancel-file", o.cancel_file, "stop when this file exists");
    app.add_flag("--stdin-stops", o.stdin_stops, "stop when stdin is closed");
    if (seedable()) app.add_option("--mutate", o.mutate, "a seeded bug");
}

std::string divisors_text(int n) {
    std::string text;
    for (int d = 1; d <= n; ++d)
        if (n % d == 0) text.append(text.empty() ? "" : ", ").append(std::to_string(d));
    return text;
}

// "--tp 4 does not divide 6 heads; what does: 1, 2, 3, 6"
void must_divide(std::vector<std::string>& found, const char* option, int value, int whole, const char* what) {
    if (value >= 1 && whole % value != 0)
        found.push_back(std::string(option) + " " + std::to_string(value) + " does not divide " + std::to_string(whole)
                        + " " + what + "; what does: " + divisors_text(whole));
}
void at_least(std::vector<std::string>& found, const char* option, long value, long least) {
    if (value < least)
        found.push_back(std::string(option) + " " + std::to_string(value) + " is too small; the least is "
                        + std::to_string(least));
}

void at_most(std::vector<std::string>& found, const char* option, long value, long most) {
    if (value > most)
        found.push_back(std::string(option) + " " + std::to_string(value) + " is too large; the most is "
                        + std::to_string(most));
}
constexpr long most_threads = 1024;   // of one rank: no computer has more cores

constexpr int most_ranks = 1 << 20, most_tokens = 1 << 24, most_rows = 1 << 24, most_of_int = 2147483647;

struct Bounded {
    const char* option;
    int value, least, most;
};
std::vector<Bounded> bounded(const Options& o) {
    const ModelOptions& m = o.model;
    const LayoutOptions& l = o.layout;
    return {{"--layers", m.layers, 1, 100'000},         {"--width", m.width, 1, 1 << 20},
            {"--heads", m.heads, 1, 1 << 20},           {"--kv-heads", m.kv_heads, 0, 1 << 20},
            {"--ffn", m.ffn, 0, most_rows},             {"--vocabulary", m.vocabulary, 1, most_rows},
            {"--sequence", m.sequence, 1, most_tokens}, {"--dp", l.data, 1, most_ranks},
            {"--tp", l.tensor, 1, most_ranks},          {"--pp", l.pipeline, 1, most_ranks},
            {"--chunks", l.chunks, 1, 100'000},         {"--micro-batch", l.micro_batch, 1, most_tokens},
            {"--accumulate", l.accumulate, 1, 1 << 20}, {"--steps", o.train.steps, 1, 1'000'000'000},
            {"--bench-visits", o.bench_visits, 1, most_of_int}};
}

// Numbers that mean nothing beyond these, whatever is run: said before anything starts.
struct Sensible {
    const char* option;
    double value, least, most;
};
std::vector<Sensible> sensible(const Options& o) {
    constexpr double any = 1e300, days = 86400, bytes = 1e18, steps = 1e9;
    const TrainOptions& t = o.train;
    return {{"--threads", double(o.threads), 0, any},      {"--memory-limit", o.memory_limit, 0, bytes},
            {"--rate", t.rate, 0, any},                    {"--decay", t.decay, 0, any},
            {"--clip", t.clip, 0, any},                    {"--warmup", double(t.warmup), 0, steps},
            {"--cooldown", double(t.cooldown), 0, steps},  {"--bench-seconds", o.bench_seconds, 1e-6, days},
            {"--bench-size", o.bench_bytes, 1, bytes},     {"--idle-seconds", o.idle_seconds, 0, days},
            {"--watchdog", o.watchdog, 1e-3, 366 * days}};
}

void must_be_sensible(std::vector<std::string>& found, const Sensible& s) {
    if (s.value >= s.least && s.value <= s.most) return;
    std::ostringstream text;
    text << s.option << ' ' << s.value << " means nothing; what works: ";
    if (s.most < 1e300) text << "from " << s.least << " to " << s.most;
    else text << s.least << " and more";
    found.push_back(text.str());
}

// What means nothing, or is counted in int further on, alone or as a product of two. Nothing that trains comes near.
std::string beyond_counting(const Options& o) {
    const ModelOptions& m = o.model;
    const LayoutOptions& l = o.layout;
    std::vector<std::string> found;
    for (const Bounded& b : bounded(o)) at_most(found, b.option, b.value, b.most);
    for (const Sensible& s : sensible(o)) must_be_sensible(found, s);
    const double ranks = double(l.data) * l.tensor * l.pipeline, tokens = double(l.micro_batch) * m.sequence;
    const double sequences = double(l.data) * l.micro_batch * l.accumulate;
    if (found.empty() && ranks > most_ranks)
        found.push_back("--dp x --tp x --pp are too many ranks; the most is " + std::to_string(most_ranks));
    if (found.empty() && tokens > most_tokens)
        found.push_back("--micro-batch x --sequence are too many tokens; the most is " + std::to_string(most_tokens));
    if (found.empty() && sequences > most_of_int)
        found.push_back("--dp x --micro-batch x --accumulate are too many sequences a step; the most is "
                        + std::to_string(most_of_int));
    std::string text;
    for (const std::string& each : found) text += each + "\n";
    return text;
}

// A step is laid out before it is trained, and for --predict of every rank: each pass through a layer takes
// microseconds and some memory.
constexpr double most_passes = 1e6;

void check_passes(std::vector<std::string>& found, const Options& o) {
    const LayoutOptions& l = o.layout;
    const double of_rank = double(o.model.layers) / l.pipeline * l.accumulate;
    if (of_rank > most_passes)
        found.push_back("--layers x --accumulate is more than " + std::to_string((long)most_passes)
                        + " passes through layers a rank and step; fewer of either or more stages work");
    else if (o.predict && of_rank * l.ranks() > most_passes)
        found.push_back("--predict lays out a step of each of " + std::to_string(l.ranks()) + " ranks, more than "
                        + std::to_string((long)most_passes)
                        + " passes through layers; data ranks are alike: a smaller --dp says the same");
}

void check_layout(std::vector<std::string>& found, const Options& o, int ranks) {
    const LayoutOptions& l = o.layout;
    const Shape s = shape_of(o.model);
    must_divide(found, "--tp", l.tensor, s.heads, "heads");
    must_divide(found, "--tp", l.tensor, s.kv_heads, "key-value heads");
    must_divide(found, "--tp", l.tensor, s.ffn, "columns of the feed-forward part");
    if (l.sequence_parallel)
        must_divide(found, "--tp", l.tensor, l.micro_batch * s.sequence, "rows of a micro-batch, which --sp shares");
    if (vocabulary_share(s, l.tensor - 1, l.tensor).rows < 1)
        found.push_back("--vocabulary " + std::to_string(s.vocabulary)
                        + " leaves a tensor rank without tokens; the nearest that does not is "
                        + std::to_string((s.vocabulary / l.tensor + 1) * l.tensor));
    const int blocks = l.pipeline * l.chunks;
    if (blocks > s.layers)
        found.push_back("--pp " + std::to_string(l.pipeline) + " x --chunks " + std::to_string(l.chunks)
                        + " is more than the " + std::to_string(s.layers) + " layers; the most is one layer each");
    if (l.chunks > 1 && l.pipeline < 2)
        found.push_back("--chunks " + std::to_string(l.chunks) + " needs a pipeline: --pp 2 or more, or --chunks 1");
    if (l.chunks > 1 && l.accumulate % l.pipeline != 0)
        found.push_back("--accumulate " + std::to_string(l.accumulate) + " is no multiple of the "
                        + std::to_string(l.pipeline) + " stages, which interleaving needs; the nearest is "
                        + std::to_string((l.accumulate / l.pipeline + 1) * l.pipeline));
    if (l.zero < 0 || l.zero > 3)
        found.push_back("--zero " + std::to_string(l.zero) + ": there are stages 0, 1, 2 and 3");
    if (l.overlap && l.zero > 1)
        found.push_back(
            "--overlap works with --zero 0 and 1; from 2 on gradients are reduced at once, to be able to drop them");
    if (ranks != l.ranks())
        found.push_back("--dp " + std::to_string(l.data) + " x --tp " + std::to_string(l.tensor) + " x --pp "
                        + std::to_string(l.pipeline) + " is " + std::to_string(l.ranks()) + " ranks, but "
                        + std::to_string(ranks) + " were started: mpirun -n " + std::to_string(l.ranks()));
}

void check_codecs(std::vector<std::string>& found, const Options& o) {
    if (const auto codecs = codecs_of(o.layout.codecs); !codecs) found.push_back(codecs.error());
    else if (o.device != Platform::cpu && (codecs->data || codecs->tensor || codecs->pipeline))
        found.push_back("--codec " + o.layout.codecs
                        + " encodes in host memory: with --device " + name_of(o.device)
                        + " there is none; --device cpu works");
    else if (o.precision == RealFormat::bf16 && (codecs->tensor || codecs->pipeline))
        found.push_back("--codec " + o.layout.codecs
                        + ": with --precision bf16 tensor and pipeline send bf16, which no codec takes; data alone, or "
                          "fp32 and fp64, work");
}

}  // namespace

Parsed parse(std::vector<std::string> arguments, const Options& defaults) {
    Parsed parsed{defaults, {}, false};
    CLI::App app{
        "Trains a small GPT under a parallel layout, or measures what such training is made of, and says so in JSON "
        "lines",
        "plimsoll-engine"};
    app.set_version_flag("--version", std::string("plimsoll-engine ").append(PLIMSOLL_VERSION));
    app.footer("@FILE in place of arguments stands for those in FILE, one a line.");
    describe_model(app, parsed.options.model);
    describe_layout(app, parsed.options.layout);
    describe_training(app, parsed.options.train);
    describe_run(app, parsed.options);
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    try {
        app.parse(arguments);
    } catch (const CLI::CallForHelp&) { parsed.message = app.help(); } catch (const CLI::CallForVersion&) {
        parsed.message = app.version() + "\n";
    } catch (const CLI::ParseError& e) {
        parsed.message = std::string(e.what()).append("\n");
        parsed.failed = true;
    }
    if (!parsed.message.empty()) return parsed;
    if (parsed.message = beyond_counting(parsed.options); !parsed.message.empty()) {
        parsed.failed = true;
        return parsed;
    }
    if (parsed.options.bench == "help") {
        parsed.message = bench_help();
    } else if (const std::string unknown = unknown_suite(parsed.options.bench); !unknown.empty()) {
        parsed.message = unknown + "\n";
        parsed.failed = true;
    }
    return parsed;
}

std::vector<std::string> problems(const Options& o, int ranks) {
    std::vector<std::string> found;
    const ModelOptions& m = o.model;
    for (const Bounded& b : bounded(o)) at_least(found, b.option, b.value, b.least);
    at_most(found, "--threads", o.threads, most_threads);
    if (!found.empty()) return found;  // what follows divides by them
    must_divide(found, "--heads", m.heads, m.width, "columns (--width)");
    if (m.kv_heads) must_divide(found, "--kv-heads", m.kv_heads, m.heads, "heads");
    if (m.flavour == Flavour::llama && m.heads && m.width / m.heads % 2)
        found.push_back("--width / --heads is " + std::to_string(m.width / m.heads)
                        + ", and rotary positions need an even head size; the nearest is "
                        + std::to_string(m.width / m.heads + 1));
    if (o.idle_seconds != 0 && !(o.idle_seconds >= 3))
        found.push_back(std::string("--idle-seconds ") + std::to_string(o.idle_seconds)
                        + " is too short for a counter; what works: 0 (none), or 3 and more");
    check_layout(found, o, ranks);
    check_passes(found, o);
    check_codecs(found, o);
    if (asks_library(o.bench) && ranks != 1)
        found.push_back("--bench library measures one device: --dp 1 --tp 1 --pp 1 on one rank works");
    if (o.device != Platform::cpu && o.precision == RealFormat::fp64)
        found.push_back(std::string("--device ") + name_of(o.device) + " computes in bf16 or fp32: --precision bf16");
    if (o.device == Platform::cpu && o.precision == RealFormat::bf16 && !has_bf16_products())
        found.push_back(
            "--precision bf16 needs --device cuda, --device hip or a processor with AVX512_BF16; here fp32 and fp64 "
            "work");
    return found;
}

Expected<std::vector<std::string>, std::string> with_files(const std::vector<std::string>& arguments) {
    std::vector<std::string> words;
    for (const std::string& word : arguments) {
        if (word.size() < 2 || word.front() != '@') {
            words.push_back(word);
            continue;
        }
        const auto text = read_text(word.substr(1));
        if (!text) return Unexpected{word + ": the file of arguments cannot be read"};
        std::istringstream in(*text);
        std::string line;
        while (std::getline(in, line)) {
            if (line.ends_with('\r')) line.pop_back();   // written on another system
            if (!line.empty()) words.push_back(line);
        }
    }
    return words;
}

}  // namespace plimsoll::engine
