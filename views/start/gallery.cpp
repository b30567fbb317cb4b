#include "views/start/gallery.h"

#include "core/answers/campaign/totals.h"
#include "core/answers/campaign/headline.h"
#include "core/values/knobs/wording.h"
#include "views/document/document.h"
#include "views/parts/text.h"

#include <QObject>

#include <algorithm>

namespace plimsoll {

namespace {

struct Sorted {
    const char* question;
    std::vector<const char*> examples;
};

const std::vector<Sorted>& sorted_examples() {
    static const std::vector<Sorted> all{
        {QT_TR_NOOP("What does a dense model take on GPUs?"),
         {"gpt-neox-20b-a100", "llama3-70b-eos", "gpt3-175b-1024-a100", "mt-nlg-530b-selene", "llama3-8b-alps",
          "llama2-7b-perlmutter-fsdp", "llama3.1-405b-256-gb200-nvfp4"}},
        {QT_TR_NOOP("What does it take on a leadership machine?"),
         {"175b-frontier", "1t-frontier", "175b-crusher-fsdp", "13b-lumi-fsdp", "16b-summit", "13b-fugaku",
          "1.3b-fugaku-1024"}},
        {QT_TR_NOOP("What does a mixture of experts take?"),
         {"mixtral-8x7b-64-h100", "qwen3-235b-256-h100", "deepseek-v3-2048-h800", "kimi-k2-1t-1024-h800",
          "bigmac-gpt-32-pcie"}},
        {QT_TR_NOOP("What does it take to fine-tune a model?"),
         {"llama3-8b-qlora-rtx4090", "llama3-70b-lora-8-h100", "llama3-70b-tuning-32-h100", "llama3-70b-lora-lumi"}},
        {QT_TR_NOOP("What if the memory is too small?"),
         {"13b-zero-offload-v100", "1t-zero-infinity-v100", "100b-400-v100-zero", "gpt-4-layers-ssdtrain",
          "7b-1m-tokens-memo-a800"}},
        {QT_TR_NOOP("Which layout and schedule?"),
         {"llama2-7b-galvatron", "gpt-2.7b-alpa-v100", "gpt3-13b-gpipe", "opt-30b-zero-bubble", "22b-tesseract",
          "gpt2-355m-lassen-ddp"}},
        {QT_TR_NOOP("What do long sequences cost?"),
         {"llama3-8b-128k-h100", "llama3.1-405b-16384-packed-h100", "mgpt-1.3b-v100"}},
        {QT_TR_NOOP("What do other accelerators do?"),
         {"chinchilla-70b-tpu-v4", "maxtext-32b-tpu-v5e", "opt-66b-redco-tpu-v4", "llama2-70b-gaudi2",
          "llama2-7b-trainium1", "bloom-176b-ascend", "gpt2-124m-laptop"}},
        {QT_TR_NOOP("What if the network is slow or mixed, or the optimizer another?"),
         {"3.6b-holmes", "3.6b-ib-roce-in-order", "neox-20b-lassen-zhybrid", "gpt3-1.3b-abci-kfac"}},
    };
    return all;
}

}  // namespace

std::vector<Question> questions(const Library& library) {
    std::vector<Question> all;
    std::vector<std::string> known;
    for (const Sorted& row : sorted_examples()) {
        Question q{QObject::tr(row.question), {}};
        for (const char* id : row.examples)
            if (library.scenarios.contains(id)) q.examples.emplace_back(id);
        known.insert(known.end(), q.examples.begin(), q.examples.end());
        if (!q.examples.empty()) all.push_back(std::move(q));
    }
    Question others{QObject::tr("Others"), {}};
    for (const auto& [id, file] : library.scenarios)
        if (std::find(known.begin(), known.end(), id) == known.end()) others.examples.push_back(id);
    if (!others.examples.empty()) all.push_back(std::move(others));
    return all;
}

std::optional<ExampleCard> card_of(const std::string& id, const Library& library) {
    const auto file = library.scenarios.find(id);
    if (file == library.scenarios.end()) return std::nullopt;
    const auto plan = load_scenario(QString::fromStdString(file->second.string()), library);
    if (!plan) return std::nullopt;
    ExampleCard card{to_qt(plan->name.empty() ? id : plan->name), to_qt(plan->model.name), to_qt(plan->machine.name),
                     {}, {}};
    const Outcome outcome = estimate(*plan);
    if (!outcome) return card;
    const Totals total = totals(*plan, headline(*plan, *outcome));  // as the tiles show them
    if (!total.ends()) return card;
    card.time = to_qt(say(total.time));
    card.energy = to_qt(say(total.facility_energy));
    return card;
}

ScenarioFile new_plan(const Scenario& plan) { return {plan, {}, with_automatic_layout("{}", true)}; }

}  // namespace plimsoll
