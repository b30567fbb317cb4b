// Models from Hugging Face's config.json and from lists of shapes.
#include "registered_test.h"

#include "core/files/import/tensor_plan.h"
#include "core/files/import/model_import.h"
#include "core/files/presets/preset_json.h"
#include "shipped.h"

using namespace plimsoll;

namespace {

Expected<ImportedModel, Problems> import_of(const std::string& text, int heads = 0) {
    return import_model(text, {"some-model/config.json", "", heads});
}

std::string messages(const Problems& problems) { return say(problems); }

}  // namespace

class ModelImportTest : public QObject {
    Q_OBJECT

private slots:
    // The keys of the published config.json files that matter; counts as Hugging Face shows them.
    void published_configs_give_published_counts_data() {
        QTest::addColumn<QString>("config");
        QTest::addColumn<double>("parameters");
        const auto row = [](const char* name, const char* config, double parameters) {
            QTest::newRow(name) << QString(config) << parameters;
        };
        row("GPT2-Large",
            R"({"model_type": "gpt2", "n_layer": 36, "n_embd": 1280, "n_head": 20, "n_positions": 1024, "n_ctx": )"
            R"(1024, "vocab_size": 50257, "n_inner": null})",
            774030080);
        row("LLaMA-7B",
            R"({"model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32, )"
            R"("intermediate_size": 11008, "vocab_size": 32000, "hidden_act": "silu"})",
            6738415616);
        row("Llama-3.2-1B, tied",
            R"({"model_type": "llama", "num_hidden_layers": 16, "hidden_size": 2048, "num_attention_heads": 32, )"
            R"("num_key_value_heads": 8, "head_dim": 64, "intermediate_size": 8192, "vocab_size": 128256, )"
            R"("tie_word_embeddings": true, "attention_bias": false, "mlp_bias": false})",
            1235814400);
        row("Mistral-7B",
            R"({"model_type": "mistral", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32, )"
            R"("num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32000})",
            7241732096);
        row("GPT-J-6B",
            R"({"model_type": "gptj", "n_layer": 28, "n_embd": 4096, "n_head": 16, "n_positions": 2048, )"
            R"("vocab_size": 50400, "n_inner": null, "tie_word_embeddings": false})",
            6050882784);
        row("GPT-NeoX-20B",
            R"({"model_type": "gpt_neox", "num_hidden_layers": 44, "hidden_size": 6144, "num_attention_heads": 64, )"
            R"("intermediate_size": 24576, "vocab_size": 50432, "max_position_embeddings": 2048})",
            20554567680);
        row("OPT-13B",
            R"({"model_type": "opt", "num_hidden_layers": 40, "hidden_size": 5120, "num_attention_heads": 40, )"
            R"("ffn_dim": 20480, "vocab_size": 50272, "max_position_embeddings": 2048, "word_embed_proj_dim": )"
            R"(5120, "do_layer_norm_before": true})",
            12853473280);
        row("OPT-350M, with its narrow embedding",
            R"({"model_type": "opt", "num_hidden_layers": 24, "hidden_size": 1024, "num_attention_heads": 16, )"
            R"("ffn_dim": 4096, "vocab_size": 50272, "max_position_embeddings": 2048, "word_embed_proj_dim": 512, )"
            R"("do_layer_norm_before": false})",
            331196416);
        row("BLOOM-176B",
            R"({"model_type": "bloom", "n_layer": 70, "n_embed": 14336, "num_attention_heads": 112, "vocab_size": )"
            R"(250880})",
            176247271424);
        row("Falcon-7B",
            R"({"model_type": "falcon", "num_hidden_layers": 32, "hidden_size": 4544, "num_attention_heads": 71, )"
            R"("vocab_size": 65024, "multi_query": true, "parallel_attn": true, "bias": false, "alibi": false, )"
            R"("new_decoder_architecture": false})",
            6921720704);
        row("Falcon-40B",
            R"({"model_type": "falcon", "num_hidden_layers": 60, "hidden_size": 8192, "num_attention_heads": 128, )"
            R"("num_kv_heads": 8, "vocab_size": 65024, "bias": false, "new_decoder_architecture": true})",
            41303293952);
        row("Gemma-7B",
            R"({"model_type": "gemma", "num_hidden_layers": 28, "hidden_size": 3072, "num_attention_heads": 16, )"
            R"("num_key_value_heads": 16, "head_dim": 256, "intermediate_size": 24576, "vocab_size": 256000})",
            8537680896);
        row("Gemma-2-9B",
            R"({"model_type": "gemma2", "num_hidden_layers": 42, "hidden_size": 3584, "num_attention_heads": 16, )"
            R"("num_key_value_heads": 8, "head_dim": 256, "intermediate_size": 14336, "vocab_size": 256000})",
            9241705984);
        row("Gemma-3-1B",
            R"({"model_type": "gemma3_text", "num_hidden_layers": 26, "hidden_size": 1152, "num_attention_heads": 4, )"
            R"("num_key_value_heads": 1, "head_dim": 256, "intermediate_size": 6912, "vocab_size": 262144})",
            999885952);
        row("Llama 4 Scout",
            R"({"model_type": "llama4_text", "num_hidden_layers": 48, "hidden_size": 5120, "num_attention_heads": 40, )"
            R"("num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 8192, "intermediate_size_mlp": 16384, )"
            R"("num_local_experts": 16, "num_experts_per_tok": 1, "interleave_moe_layer_step": 1, "vocab_size": )"
            R"(202048})",
            107769861120);
        row("Phi-2",
            R"({"model_type": "phi", "num_hidden_layers": 32, "hidden_size": 2560, "num_attention_heads": 32, )"
            R"("intermediate_size": 10240, "vocab_size": 51200, "max_position_embeddings": 2048})",
            2779683840);
        row("Qwen2.5-7B",
            R"({"model_type": "qwen2", "num_hidden_layers": 28, "hidden_size": 3584, "num_attention_heads": 28, )"
            R"("num_key_value_heads": 4, "intermediate_size": 18944, "vocab_size": 152064, "tie_word_embeddings": )"
            R"(false})",
            7615616512);
        row("Qwen3-8B",
            R"({"model_type": "qwen3", "num_hidden_layers": 36, "hidden_size": 4096, "num_attention_heads": 32, )"
            R"("num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 12288, "vocab_size": 151936, )"
            R"("tie_word_embeddings": false})",
            8190735360);
        row("OLMo-2-7B",
            R"({"model_type": "olmo2", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32, )"
            R"("num_key_value_heads": 32, "intermediate_size": 11008, "vocab_size": 100352})",
            7298617344);
        row("Mixtral 8x7B",
            R"({"model_type": "mixtral", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32, )"
            R"("num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32000, "num_local_experts": 8, )"
            R"("num_experts_per_tok": 2})",
            46702792704);
        row("Qwen1.5-MoE-A2.7B",
            R"({"model_type": "qwen2_moe", "num_hidden_layers": 24, "hidden_size": 2048, "num_attention_heads": )"
            R"(16, "num_key_value_heads": 16, "intermediate_size": 5632, "vocab_size": 151936, "num_experts": 60, )"
            R"("num_experts_per_tok": 4, "moe_intermediate_size": 1408, "shared_expert_intermediate_size": 5632, )"
            R"("decoder_sparse_step": 1})",
            14315784192);
        row("Qwen3-30B-A3B",
            R"({"model_type": "qwen3_moe", "num_hidden_layers": 48, "hidden_size": 2048, "num_attention_heads": )"
            R"(32, "num_key_value_heads": 4, "head_dim": 128, "intermediate_size": 6144, "vocab_size": 151936, )"
            R"("num_experts": 128, "num_experts_per_tok": 8, "moe_intermediate_size": 768})",
            30532122624);
        row("GPT-OSS-20B",
            R"({"model_type": "gpt_oss", "num_hidden_layers": 24, "hidden_size": 2880, "num_attention_heads": 64, )"
            R"("num_key_value_heads": 8, "head_dim": 64, "intermediate_size": 2880, "vocab_size": 201088, )"
            R"("num_local_experts": 32, "num_experts_per_tok": 4})",
            20914757184);
        row("DeepSeek-V2-Lite",
            R"({"model_type": "deepseek_v2", "num_hidden_layers": 27, "hidden_size": 2048, "num_attention_heads": )"
            R"(16, "num_key_value_heads": 16, "intermediate_size": 10944, "vocab_size": 102400, )"
            R"("n_routed_experts": 64, "n_shared_experts": 2, "num_experts_per_tok": 6, "moe_intermediate_size": )"
            R"(1408, "first_k_dense_replace": 1, "moe_layer_freq": 1, "q_lora_rank": null, "kv_lora_rank": 512, )"
            R"("qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128})",
            15706484224);
        row("DeepSeek-V3",
            R"({"model_type": "deepseek_v3", "num_hidden_layers": 61, "hidden_size": 7168, "num_attention_heads": )"
            R"(128, "num_key_value_heads": 128, "intermediate_size": 18432, "vocab_size": 129280, )"
            R"("n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8, "moe_intermediate_size": )"
            R"(2048, "first_k_dense_replace": 3, "moe_layer_freq": 1, "topk_method": "noaux_tc", "q_lora_rank": )"
            R"(1536, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128})",
            671026419200);
    }
    void published_configs_give_published_counts() {
        QFETCH(QString, config);
        QFETCH(double, parameters);
        const auto imported = import_of(config.toStdString());
        QVERIFY2(imported.has_value(), imported ? "" : messages(imported.error()).c_str());
        QVERIFY(imported->model.has_value());
        QCOMPARE(plimsoll::parameters(*imported->model), parameters);
        QVERIFY(imported->remarks.empty());
        const auto again = read_model(write_model(*imported->model));
        QVERIFY(again.has_value());
        QVERIFY(again->model == *imported->model);
        QCOMPARE(imported->model->name, std::string("some-model"));
    }

    // Families whose shape is near to one above, by their own keys; counts as published or of the shape.
    void further_families_are_read_data() {
        QTest::addColumn<QString>("config");
        QTest::addColumn<double>("parameters");
        const auto row = [](const char* name, const char* config, double parameters) {
            QTest::newRow(name) << QString(config) << parameters;
        };
        row("SmolLM3-3B", R"("model_type": "smollm3", "num_hidden_layers": 36, "hidden_size": 2048, )"
            R"("num_attention_heads": 16, "num_key_value_heads": 4, "intermediate_size": 11008, "vocab_size": 128256, )"
            R"("tie_word_embeddings": true, "no_rope_layer_interval": 4)", 3075098624);
        row("OLMo-1B", R"("model_type": "olmo", "num_hidden_layers": 16, "hidden_size": 2048, )"
            R"("num_attention_heads": 16, "intermediate_size": 8192, "vocab_size": 50304, "tie_word_embeddings": true)",
            1176764416);
        row("OLMoE-1B-7B", R"("model_type": "olmoe", "num_hidden_layers": 16, "hidden_size": 2048, )"
            R"("num_attention_heads": 16, "intermediate_size": 1024, "vocab_size": 50304, "num_experts": 64, )"
            R"("num_experts_per_tok": 8)", 6919161856);
        row("StarCoder2-3B", R"("model_type": "starcoder2", "num_hidden_layers": 30, "hidden_size": 3072, )"
            R"("num_attention_heads": 24, "num_key_value_heads": 2, "intermediate_size": 12288, "vocab_size": 49152, )"
            R"("use_bias": true, "sliding_window": 4096)", 3030371328);
        row("MPT-7B", R"("model_type": "mpt", "n_layers": 32, "d_model": 4096, "n_heads": 32, "vocab_size": 50432, )"
            R"("max_seq_len": 2048, "no_bias": true, "expansion_ratio": 4, "attn_config": {"alibi": true})",
            6649286656);
        row("SantaCoder", R"("model_type": "gpt_bigcode", "n_layer": 24, "n_embd": 2048, "n_head": 16, )"
            R"("n_positions": 2048, "n_inner": 8192, "vocab_size": 49280, "multi_query": true)", 1124886528);
        row("StableLM-2-1.6B", R"("model_type": "stablelm", "num_hidden_layers": 24, "hidden_size": 2048, )"
            R"("num_attention_heads": 32, "intermediate_size": 5632, "vocab_size": 100352, "use_qkv_bias": true)",
            1644515328);
        row("Command-R", R"("model_type": "cohere", "num_hidden_layers": 40, "hidden_size": 8192, )"
            R"("num_attention_heads": 64, "intermediate_size": 22528, "vocab_size": 256000)", 34980831232);
        row("Command-R7B", R"("model_type": "cohere2", "num_hidden_layers": 32, "hidden_size": 4096, )"
            R"("num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 256000)",
            8028033024);
        row("Seed-OSS-36B", R"("model_type": "seed_oss", "num_hidden_layers": 64, "hidden_size": 5120, )"
            R"("num_attention_heads": 80, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 27648, )"
            R"("vocab_size": 155136, "attention_bias": true, "attention_out_bias": false)", 36151104512);
        row("Baichuan2-7B", R"("model_type": "baichuan", "num_hidden_layers": 32, "hidden_size": 4096, )"
            R"("num_attention_heads": 32, "intermediate_size": 11008, "vocab_size": 125696, "model_max_length": 4096)",
            7505973248);
        row("InternLM2-7B", R"("model_type": "internlm2", "num_hidden_layers": 32, "hidden_size": 4096, )"
            R"("num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 92544, )"
            R"("bias": false)", 7737708544);
        row("Granite-3.1-8B", R"("model_type": "granite", "num_hidden_layers": 40, "hidden_size": 4096, )"
            R"("num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 12800, "vocab_size": 49155, )"
            R"("tie_word_embeddings": true)", 8170848256);
        row("GLM-4-9B", R"("model_type": "chatglm", "num_layers": 40, "hidden_size": 4096, "num_attention_heads": 32, )"
            R"("ffn_hidden_size": 13696, "padded_vocab_size": 151552, "multi_query_attention": true, )"
            R"("multi_query_group_num": 2, "add_qkv_bias": true, "kv_channels": 128, "seq_length": 8192)", 9399951360);
        row("Qwen-7B, whose width counts twice", R"("model_type": "qwen", "num_hidden_layers": 32, )"
            R"("hidden_size": 4096, "num_attention_heads": 32, "intermediate_size": 22016, "vocab_size": 151936)",
            7721324544);
        row("DeepSeekMoE-16B", R"("model_type": "deepseek", "num_hidden_layers": 28, "hidden_size": 2048, )"
            R"("num_attention_heads": 16, "intermediate_size": 10944, "moe_intermediate_size": 1408, )"
            R"("n_routed_experts": 64, "n_shared_experts": 2, "num_experts_per_tok": 6, "first_k_dense_replace": 1, )"
            R"("vocab_size": 102400)", 16375728128);
        row("EXAONE-4.0-1.2B", R"("model_type": "exaone4", "num_hidden_layers": 30, "hidden_size": 2048, )"
            R"("num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 64, "intermediate_size": 4096, )"
            R"("vocab_size": 102400, "tie_word_embeddings": true, "sliding_window": null)", 1279391488);
        row("ERNIE-4.5-0.3B", R"("model_type": "ernie4_5", "num_hidden_layers": 18, "hidden_size": 1024, )"
            R"("num_attention_heads": 16, "num_key_value_heads": 2, "head_dim": 128, "intermediate_size": 3072, )"
            R"("vocab_size": 103424, "use_bias": false, "tie_word_embeddings": true)", 360748032);
        row("ERNIE-4.5-21B-A3B", R"("model_type": "ernie4_5_moe", "num_hidden_layers": 28, "hidden_size": 2560, )"
            R"("num_attention_heads": 20, "num_key_value_heads": 4, "intermediate_size": 12288, "moe_k": 6, )"
            R"("moe_num_experts": 64, "moe_intermediate_size": 1536, "moe_num_shared_experts": 2, )"
            R"("moe_layer_start_index": 1, "moe_layer_interval": 1, "vocab_size": 103424, "use_bias": false)",
            21825437888);
        row("Granite-3.0-1B-A400M", R"("model_type": "granitemoe", "num_hidden_layers": 24, "hidden_size": 1024, )"
            R"("num_attention_heads": 16, "num_key_value_heads": 8, "intermediate_size": 512, "vocab_size": 49155, )"
            R"("num_local_experts": 32, "num_experts_per_tok": 8, "tie_word_embeddings": true)", 1334628352);
        row("Hunyuan-1.8B", R"("model_type": "hunyuan_v1_dense", "num_hidden_layers": 32, "hidden_size": 2048, )"
            R"("num_attention_heads": 16, "num_key_value_heads": 4, "head_dim": 128, "intermediate_size": 6144, )"
            R"("vocab_size": 120818, "use_qk_norm": true, "tie_word_embeddings": true)", 1791080448);
        row("GLM-4-9B in transformers' words", R"("model_type": "glm", "num_hidden_layers": 40, "hidden_size": 4096, )"
            R"("num_attention_heads": 32, "num_key_value_heads": 2, "head_dim": 128, "intermediate_size": 13696, )"
            R"("vocab_size": 151552, "attention_bias": true)", 9399951360);
        row("GLM-4-9B-0414, with norms after its blocks", R"("model_type": "glm4", "num_hidden_layers": 40, )"
            R"("hidden_size": 4096, "num_attention_heads": 32, "num_key_value_heads": 2, "head_dim": 128, )"
            R"("intermediate_size": 13696, "vocab_size": 151552, "attention_bias": true)", 9400279040);
        row("MiniMax-M2, with norms over all heads", R"("model_type": "minimax_m2", "num_hidden_layers": 62, )"
            R"("hidden_size": 3072, "num_attention_heads": 48, "num_key_value_heads": 8, "head_dim": 128, )"
            R"("intermediate_size": 1536, "num_local_experts": 256, "num_experts_per_tok": 8, "vocab_size": 200064, )"
            R"("use_routing_bias": true)", 228689764864);
        row("GLM-4.7-Flash, small experts behind attention of a latent", R"("model_type": "glm4_moe_lite", )"
            R"("num_hidden_layers": 47, "hidden_size": 2048, "num_attention_heads": 20, "num_key_value_heads": 20, )"
            R"("head_dim": 64, "intermediate_size": 10240, "moe_intermediate_size": 1536, "n_routed_experts": 64, )"
            R"("n_shared_experts": 1, "num_experts_per_tok": 4, "first_k_dense_replace": 1, "kv_lora_rank": 512, )"
            R"("q_lora_rank": 768, "qk_nope_head_dim": 192, "qk_rope_head_dim": 64, "v_head_dim": 256, )"
            R"("vocab_size": 154880)", 29943393920);
        row("dots.llm1", R"("model_type": "dots1", "num_hidden_layers": 62, "hidden_size": 4096, )"
            R"("num_attention_heads": 32, "num_key_value_heads": 32, "intermediate_size": 10944, )"
            R"("moe_intermediate_size": 1408, "n_routed_experts": 128, "n_shared_experts": 2, )"
            R"("num_experts_per_tok": 6, "first_k_dense_replace": 1, "vocab_size": 152064)", 142774381696);
        row("Hunyuan-A13B, with a list where every layer is the same", R"("model_type": "hunyuan", )"
            R"("num_hidden_layers": 4, "hidden_size": 4096, "num_attention_heads": 32, "num_key_value_heads": 8, )"
            R"("attention_head_dim": 128, "intermediate_size": 3072, "moe_topk": [8, 8, 8, 8], )"
            R"("moe_intermediate_size": [3072, 3072, 3072, 3072], "num_experts": 64, )"
            R"("num_shared_expert": [1, 1, 1, 1], "vocab_size": 128167, )"
            R"("tie_word_embeddings": true)", (80393183232.0 - 524976128.0) / 8 + 524976128.0);
        row("Trinity Large, gated attention with windows", R"("model_type": "afmoe", "num_hidden_layers": 60, )"
            R"("hidden_size": 3072, "num_attention_heads": 48, "num_key_value_heads": 8, "head_dim": 128, )"
            R"("intermediate_size": 12288, "moe_intermediate_size": 3072, "num_experts": 256, )"
            R"("num_experts_per_tok": 4, "num_shared_experts": 1, "num_dense_layers": 6, "vocab_size": 200192, )"
            R"("sliding_window": 4096)",
            398635286016);
        row("Qwen3-Coder-480B", R"("model_type": "qwen3_moe", "num_hidden_layers": 62, "hidden_size": 6144, )"
            R"("num_attention_heads": 96, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 8192, )"
            R"("moe_intermediate_size": 2560, "num_experts": 160, "num_experts_per_tok": 8, "vocab_size": 151936)",
            480154875392);
        row("Gemma 4 31B: layers without a window have other heads, whose keys are the values",
            R"("model_type": "gemma4_text", "num_hidden_layers": 12, "hidden_size": 5376, "num_attention_heads": 32, )"
            R"("num_key_value_heads": 16, "head_dim": 256, "global_head_dim": 512, "num_global_key_value_heads": 4, )"
            R"("attention_k_eq_v": true, "intermediate_size": 21504, "vocab_size": 262144, "sliding_window": 1024, )"
            R"("layer_types": ["sliding_attention", "sliding_attention", "sliding_attention", "sliding_attention", )"
            R"("sliding_attention", "full_attention", "sliding_attention", "sliding_attention", "sliding_attention", )"
            R"("sliding_attention", "sliding_attention", "full_attention"])",
            (30697345280.0 - 1409291520.0) / 5 + 1409291520.0);
    }
    void further_families_are_read() {
        QFETCH(QString, config);
        QFETCH(double, parameters);
        const auto imported = import_of("{" + config.toStdString() + "}");
        QVERIFY2(imported.has_value(), imported ? "" : messages(imported.error()).c_str());
        QCOMPARE(plimsoll::parameters(*imported->model), parameters);
    }

    void families_of_presets_read_to_their_presets_data() {
        QTest::addColumn<QString>("config");
        QTest::addColumn<std::string>("preset");
        QTest::newRow("GLM-4.5") << QString(
            R"("model_type": "glm4_moe", "num_hidden_layers": 92, "hidden_size": 5120, "num_attention_heads": 96, )"
            R"("num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 12288, "moe_intermediate_size": 1536, )"
            R"("n_routed_experts": 160, "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 3, )"
            R"("attention_bias": true, "use_qk_norm": true, "vocab_size": 151552)") << std::string("glm4.5");
        QTest::newRow("GLM-4.5-Air") << QString(
            R"("model_type": "glm4_moe", "num_hidden_layers": 46, "hidden_size": 4096, "num_attention_heads": 96, )"
            R"("num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 10944, "moe_intermediate_size": 1408, )"
            R"("n_routed_experts": 128, "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 1, )"
            R"("attention_bias": true, "use_qk_norm": false, "vocab_size": 151552)") << std::string("glm4.5-air");
    }
    void families_of_presets_read_to_their_presets() {
        QFETCH(QString, config);
        QFETCH(std::string, preset);
        const auto imported = import_of("{" + config.toStdString() + "}");
        QVERIFY2(imported.has_value(), imported ? "" : messages(imported.error()).c_str());
        QCOMPARE(plimsoll::parameters(*imported->model), plimsoll::parameters(library().models.at(preset)));
    }

    void a_type_that_is_not_known_is_Llama_by_its_keys_or_refused_data() {
        QTest::addColumn<QString>("keys");
        QTest::addColumn<QString>("refused_for");   // empty: read
        const auto row = [](const char* name, const char* keys, const char* refused_for) {
            QTest::newRow(name) << QString(keys) << QString(refused_for);
        };
        row("Llama's keys with factors on the way", R"("model_type": "minicpm", "scale_emb": 12, "scale_depth": 1.4)",
            "");
        row("state spaces", R"("model_type": "newcomer", "ssm_state_size": 16)", "ssm_state_size");
        row("linear attention", R"("model_type": "newcomer", "linear_attn_heads": 16)", "linear_attn_heads");
        row("a pattern of blocks", R"("model_type": "newcomer", "hybrid_override_pattern": "M-*")",
            "hybrid_override_pattern");
        row("attention of a latent", R"("model_type": "minicpm3", "kv_lora_rank": 256)", "kv_lora_rank");
        row("experts in words of its own", R"("model_type": "newcomer", "num_experts": 64)", "num_experts");
        row("a block that is not gated", R"("model_type": "newcomer", "hidden_act": "relu2")", "hidden_act");
        row("layers of another kind", R"("model_type": "newcomer", "layer_types": ["full_attention", "delta"])",
            "delta");
    }
    void a_type_that_is_not_known_is_Llama_by_its_keys_or_refused() {
        QFETCH(QString, keys);
        QFETCH(QString, refused_for);
        const auto imported = import_of(
            "{" + keys.toStdString() + R"(, "num_hidden_layers": 2, "hidden_size": 2048, "num_attention_heads": 32, )"
            R"("num_key_value_heads": 32, "intermediate_size": 5632, "vocab_size": 100000, "rms_norm_eps": 1e-05})");
        QCOMPARE(imported.has_value(), refused_for.isEmpty());
        const std::string said = messages(imported ? imported->remarks : imported.error());
        QVERIFY2(QString::fromStdString(said).contains(imported ? "Llama under another name" : refused_for),
                 said.c_str());
        if (imported) QCOMPARE(imported->model->layers, 2);
    }

    void windows_are_taken_over_data() {
        QTest::addColumn<QString>("keys");
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("layers");
        QTest::addColumn<bool>("chunks");
        const auto row = [](const char* name, const char* keys, int tokens, int layers, bool chunks = false) {
            QTest::newRow(name) << QString(keys) << tokens << layers << chunks;
        };
        row("Mistral has one in every layer", R"("model_type": "mistral", "sliding_window": 4096)", 4096, 12);
        row("null means none", R"("model_type": "mistral", "sliding_window": null)", 0, 0);
        row("Gemma 2 in every other", R"("model_type": "gemma2")", 4096, 6);
        row("Gemma 3 in five of six", R"("model_type": "gemma3_text", "sliding_window": 1024)", 1024, 10);
        row("by a list of layers",
            R"("model_type": "gemma3_text", "sliding_window": 512, "layer_types": ["sliding_attention", )"
            R"("sliding_attention", "full_attention", "sliding_attention", "full_attention", "full_attention", )"
            R"("full_attention", "full_attention", "full_attention", "full_attention", "full_attention", )"
            R"("full_attention"])",
            512, 3);
        row("Qwen only where it is switched on", R"("model_type": "qwen2", "sliding_window": 4096)", 0, 0);
        row("and then from a layer on",
            R"("model_type": "qwen2", "sliding_window": 4096, "use_sliding_window": true, "max_window_layers": 8)",
            4096, 4);
        row("GPT-OSS in every other",
            R"("model_type": "gpt_oss", "num_local_experts": 8, "num_experts_per_tok": 2, "sliding_window": 128)", 128,
            6);
        row("Llama 4 in chunks, but for every fourth layer",
            R"("model_type": "llama4_text", "num_local_experts": 16, "intermediate_size_mlp": 512, )"
            R"("attention_chunk_size": 8192)",
            8192, 9, true);
        row("LLaMA has none", R"("model_type": "llama")", 0, 0);
    }
    void windows_are_taken_over() {
        QFETCH(QString, keys);
        QFETCH(int, tokens);
        QFETCH(int, layers);
        QFETCH(bool, chunks);
        const auto imported = import_of(
            "{" + keys.toStdString() + R"(, "num_hidden_layers": 12, "hidden_size": 64, "num_attention_heads": 4, )"
            R"("num_key_value_heads": 4, "intermediate_size": 256, "vocab_size": 1000})");
        QVERIFY2(imported.has_value(), imported ? "" : messages(imported.error()).c_str());
        QVERIFY(imported->model->window == (AttentionWindow{tokens, layers, chunks}));
        QVERIFY(read_model(write_model(*imported->model))->model.window == imported->model->window);
    }

    void what_is_left_out_is_said_with_its_effect_data() {
        QTest::addColumn<QString>("keys");
        QTest::addColumn<QStringList>("says");
        QTest::newRow("modules of further tokens, which are part of it")
            << R"("model_type": "llama", "num_nextn_predict_layers": 1)"
            << QStringList{"/num_nextn_predict_layers", "part of the model", "0 further tokens"};
        QTest::newRow("plain layers between experts")
            << R"("model_type": "qwen3_moe", "num_experts": 8, "num_experts_per_tok": 2, "mlp_only_layers": [0, 1])"
            << QStringList{"/mlp_only_layers", "2 layers"};
        QTest::newRow("capped scores")
            << R"("model_type": "gemma2", "attn_logit_softcapping": 50.0)" << QStringList{"/attn_logit_softcapping"};
    }
    void what_is_left_out_is_said_with_its_effect() {
        QFETCH(QString, keys);
        QFETCH(QStringList, says);
        const auto imported = import_of(
            "{" + keys.toStdString() + R"(, "num_hidden_layers": 12, "hidden_size": 64, "num_attention_heads": 4, )"
            R"("num_key_value_heads": 4, "intermediate_size": 256, "vocab_size": 1000})");
        QVERIFY2(imported.has_value(), imported ? "" : messages(imported.error()).c_str());
        const QString said = QString::fromStdString(messages(imported->remarks));
        for (const QString& word : says) QVERIFY2(said.contains(word), qPrintable(said));
    }

    void the_language_part_of_a_larger_model_is_read() {
        const auto imported = import_of(
            R"({"model_type": "gemma3", "vision_config": {"hidden_size": 1152}, "text_config": {"model_type": )"
            R"("gemma3_text", "num_hidden_layers": 34, "hidden_size": 2560, "num_attention_heads": 8, )"
            R"("num_key_value_heads": 4, "head_dim": 256, "intermediate_size": 10240, "vocab_size": 262208, )"
            R"("sliding_window": 1024}})");
        QVERIFY(imported && imported->model);
        QCOMPARE(parameters(*imported->model), 3880263168.0);
        QVERIFY(messages(imported->remarks).find("language model") != std::string::npos);
    }

    void tables_are_tied_where_the_larger_model_says_so() {
        const auto tied = [](const char* inside, const char* around) {
            return import_of(std::string(R"({"model_type": "qwen3_vl", "text_config": {"model_type": "qwen3_vl_text", )"
                                         R"("num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4, )"
                                         R"("intermediate_size": 256, "vocab_size": 100)") +
                             inside + "}" + around + "}")->model->tied_embeddings;
        };
        QVERIFY(!tied("", ""));
        QVERIFY(tied("", R"(, "tie_word_embeddings": true)"));
        QVERIFY(!tied(R"(, "tie_word_embeddings": false)", R"(, "tie_word_embeddings": true)"));
    }

    void numbers_that_Python_writes_and_JSON_has_not_are_read_over() {
        const std::string shape =
            R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4, )"
            R"("intermediate_size": 256, "vocab_size": 100, "time_step_limit": [0.0, Infinity, -Infinity, NaN], )"
            "\"_name_or_path\": \"of NaN \\\"Infinity\"}";
        QVERIFY(is_importable(shape));
        const auto imported = import_of(shape);
        QVERIFY2(imported.has_value(), imported ? "" : messages(imported.error()).c_str());
        QCOMPARE(imported->model->name, std::string("of NaN \"Infinity"));
    }

    void blocks_side_by_side_are_taken_over_data() {
        QTest::addColumn<QString>("keys");
        QTest::addColumn<bool>("parallel");
        QTest::newRow("GPT-NeoX") << R"("model_type": "gpt_neox")" << true;
        QTest::newRow("GPT-NeoX, one after the other")
            << R"("model_type": "gpt_neox", "use_parallel_residual": false)" << false;
        QTest::newRow("GPT-J") << R"("model_type": "gptj")" << true;
        QTest::newRow("Falcon") << R"("model_type": "falcon")" << true;
        QTest::newRow("Falcon-RW") << R"("model_type": "falcon", "parallel_attn": false)" << false;
        QTest::newRow("Phi-2") << R"("model_type": "phi")" << true;
        QTest::newRow("LLaMA") << R"("model_type": "llama")" << false;
    }
    void blocks_side_by_side_are_taken_over() {
        QFETCH(QString, keys);
        QFETCH(bool, parallel);
        const auto imported = import_of(
            "{" + keys.toStdString() + R"(, "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4, )"
            R"("intermediate_size": 256, "vocab_size": 1000})");
        QVERIFY2(imported.has_value(), imported ? "" : messages(imported.error()).c_str());
        QCOMPARE(imported->model->parallel_blocks, parallel);
    }

    void groups_of_experts_limit_the_nodes_a_token_visits() {
        const std::string shape =
            R"({"model_type": "deepseek_v3", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4, )"
            R"("intermediate_size": 256, "vocab_size": 1000, "n_routed_experts": 16, "num_experts_per_tok": 4, )"
            R"("moe_intermediate_size": 64, "kv_lora_rank": 16, "qk_rope_head_dim": 8, "qk_nope_head_dim": 8, )"
            R"("v_head_dim": 8, )";
        QCOMPARE(import_of(shape + R"("n_group": 8, "topk_group": 4})")->model->experts.node_limit, 4);
        QCOMPARE(import_of(shape + R"("n_group": 1, "topk_group": 1})")->model->experts.node_limit, 0);
    }

    void every_known_model_type_has_a_row() {
        // All but those that share a reader with a type above.
        const std::vector<std::string> types = importable_model_types();
        QVERIFY(std::is_sorted(types.begin(), types.end()));
        QVERIFY(types.size() >= 20);
    }

    void a_list_of_shapes_reads_as_such_and_as_a_safetensors_header() {
        const std::string plain =
            R"({"model.layers.0.self_attn.q_proj.weight": [64, 64], "model.layers.0.self_attn.o_proj.weight": [64, 64],
            "model.layers.0.mlp.up_proj.weight": [256, 64], "model.layers.0.mlp.down_proj.weight": [64, 256],
            "model.layers.0.norm.weight": [64], "model.embed_tokens.weight": [1000, 64]})";
        const std::string header = R"({"__metadata__": {"format": "pt"},
            "model.layers.0.self_attn.q_proj.weight": {"dtype": "BF16", "shape": [64, 64], "data_offsets": [0, 8192]},
            "model.layers.0.self_attn.o_proj.weight": {"shape": [64, 64]}, "model.layers.0.mlp.up_proj.weight": )"
                                   R"({"shape": [256, 64]},
            "model.layers.0.mlp.down_proj.weight": {"shape": [64, 256]}, "model.layers.0.norm.weight": {"shape": [64]},
            "model.embed_tokens.weight": {"shape": [1000, 64]}})";
        const auto a = import_of(plain, 4), b = import_of(header, 4);
        QVERIFY(a && b);
        QVERIFY(a->shapes == b->shapes);
        QVERIFY(a->model.has_value());
        QCOMPARE(a->model->heads, 4);
        QCOMPARE(a->model->ffn, 256);
        QCOMPARE(parameters(*a->model), parameters(a->shapes));
        const auto without = import_of(plain);
        QVERIFY(without && !without->model);
        QVERIFY(messages(without->remarks).find("heads") != std::string::npos);
    }

    void problems_name_the_field_and_the_fix_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("says");
        QTest::newRow("no JSON") << "{" << QStringList{"not JSON"};
        QTest::newRow("a list") << "[1]" << QStringList{"object"};
        QTest::newRow("nothing in it") << "{}" << QStringList{"model_type", "[rows, columns]"};
        QTest::newRow("an unknown type, with the nearest")
            << R"({"model_type": "lama"})" << QStringList{"/model_type", "llama", "shapes imports too"};
        QTest::newRow("an encoder-decoder by its config")
            << R"({"model_type": "t5"})" << QStringList{"/model_type", "shapes imports too"};
        QTest::newRow("streams beside the residual's own")
            << R"({"model_type": "gemma3n_text"})" << QStringList{"/model_type", "AltUp", "not modelled"};
        QTest::newRow("Mamba's first form alone")
            << R"({"model_type": "mamba"})" << QStringList{"/model_type", "state-space", "not modelled"};
        QTest::newRow("keys that an indexer chooses")
            << R"({"model_type": "minimax_m3"})" << QStringList{"/model_type", "indexer", "not modelled"};
        QTest::newRow("compressed keys")
            << R"({"model_type": "deepseek_v4"})" << QStringList{"/model_type", "compressed", "not modelled"};
        QTest::newRow("a list whose layers differ")
            << R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4, )"
               R"("intermediate_size": [256, 512], "vocab_size": 100})"
            << QStringList{"/intermediate_size", "whole number"};
        QTest::newRow("a layer that is no attention")
            << R"({"model_type": "gemma3_text", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": )"
               R"(4, "intermediate_size": 256, "vocab_size": 100, "layer_types": ["full_attention", )"
               R"("linear_attention"]})"
            << QStringList{"/layer_types/1", "linear_attention", "not modelled"};
        QTest::newRow("every missing key at once")
            << R"({"model_type": "gpt2"})" << QStringList{"n_layer", "n_embd", "n_head", "vocab_size"};
        QTest::newRow("a key of the wrong kind")
            << R"({"model_type": "llama", "num_hidden_layers": "many", "hidden_size": 64, "num_attention_heads": )"
               R"(4, "intermediate_size": 256, "vocab_size": 100})"
            << QStringList{"/num_hidden_layers", "whole number"};
        QTest::newRow("key heads that do not divide")
            << R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4, )"
               R"("num_key_value_heads": 3, "intermediate_size": 256, "vocab_size": 100})"
            << QStringList{"/num_key_value_heads", "divisor"};
        QTest::newRow("heads that do not divide the width")
            << R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 66, "num_attention_heads": 4, )"
               R"("intermediate_size": 256, "vocab_size": 100})"
            << QStringList{"head_dim", "do not divide"};
        QTest::newRow("attention too wide for any device")
            << R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 65536, "num_attention_heads": )"
               R"(65536, "head_dim": 65536, "intermediate_size": 256, "vocab_size": 100})"
            << QStringList{"num_attention_heads", "at most"};
        QTest::newRow("a shape that is no list") << R"({"a.weight": 3})" << QStringList{"/a.weight"};
        QTest::newRow("a side of zero") << R"({"a.weight": [3, 0]})" << QStringList{"/a.weight/1", "whole number"};
        QTest::newRow("a header entry without a shape")
            << R"({"a.weight": {"dtype": "F32"}})" << QStringList{"/a.weight", "shape"};
    }
    void problems_name_the_field_and_the_fix() {
        QFETCH(QString, text);
        QFETCH(QStringList, says);
        const auto imported = import_of(text.toStdString());
        QVERIFY(!imported);
        const QString said = QString::fromStdString(messages(imported.error()));
        QVERIFY(said.contains("config.json"));
        for (const QString& word : says) QVERIFY2(said.contains(word), qPrintable(said));
    }

    void a_model_is_named_after_itself_its_folder_or_as_told() {
        const std::string shape =
            R"("num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4, "intermediate_size": 256, )"
            R"("vocab_size": 100})";
        const auto own = import_model(R"({"model_type": "llama", "_name_or_path": "meta/Small Model", )" + shape,
                                      {"x/config.json", "", 0});
        QCOMPARE(own->model->name, std::string("Small Model"));
        QCOMPARE(own->model->id, std::string("small-model"));
        QCOMPARE(import_model(R"({"model_type": "llama", )" + shape, {"tiny.json", "", 0})->model->id,
                 std::string("tiny"));
        QCOMPARE(import_model(R"({"model_type": "llama", )" + shape, {"tiny.json", "Mine", 0})->model->name,
                 std::string("Mine"));
        QCOMPARE(import_model(R"({"model_type": "llama", )" + shape, {"", "", 0})->model->id,
                 std::string("imported-model"));
    }
};

PLIMSOLL_TEST(ModelImportTest)
#include "tst_model_import.moc"
