// Hugging Face configurations whose layers are of several kinds: the released models, counted to the last digit.
#include "registered_test.h"

#include "core/files/import/model_import.h"
#include "core/values/plan/layer.h"
#include "shipped.h"

#include <cmath>

using namespace plimsoll;

namespace {

// As released, without what has no bearing on the shape.
constexpr const char* nemotron_3_nano = R"({"model_type": "nemotron_h", "hidden_size": 2688, "num_hidden_layers": 52,
    "hybrid_override_pattern": "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME", "num_attention_heads": 32,
    "num_key_value_heads": 2, "head_dim": 128, "vocab_size": 131072, "intermediate_size": 1856,
    "mamba_num_heads": 64, "mamba_head_dim": 64, "ssm_state_size": 128, "n_groups": 8, "conv_kernel": 4,
    "n_routed_experts": 128, "num_experts_per_tok": 6, "moe_intermediate_size": 1856, "n_shared_experts": 1,
    "moe_shared_expert_intermediate_size": 3712, "mlp_hidden_act": "relu2", "tie_word_embeddings": false})";
constexpr const char* nemotron_nano_9b = R"({"model_type": "nemotron_h", "hidden_size": 4480, "num_hidden_layers": 56,
    "hybrid_override_pattern": "M-M-M-MM-M-M-M*-M-M-M*-M-M-M-M*-M-M-M-M*-M-MM-M-M-M-M-M-",
    "num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 131072,
    "intermediate_size": 15680, "mamba_num_heads": 128, "mamba_head_dim": 80, "ssm_state_size": 128, "n_groups": 8})";
constexpr const char* qwen3_next = R"({"model_type": "qwen3_next", "hidden_size": 2048, "num_hidden_layers": 48,
    "num_attention_heads": 16, "num_key_value_heads": 2, "head_dim": 256, "vocab_size": 151936,
    "intermediate_size": 5120, "full_attention_interval": 4, "linear_num_value_heads": 32,
    "linear_num_key_heads": 16, "linear_key_head_dim": 128, "linear_value_head_dim": 128,
    "linear_conv_kernel_dim": 4, "num_experts": 512, "num_experts_per_tok": 10, "moe_intermediate_size": 512,
    "shared_expert_intermediate_size": 512, "decoder_sparse_step": 1, "mlp_only_layers": []})";
constexpr const char* granite_small = R"({"model_type": "granitemoehybrid", "hidden_size": 4096,
    "num_hidden_layers": 40, "layer_types": [LAYERS], "num_attention_heads": 32, "num_key_value_heads": 8,
    "vocab_size": 100352, "intermediate_size": 768, "shared_intermediate_size": 1536, "num_local_experts": 72,
    "num_experts_per_tok": 10, "mamba_n_heads": 128, "mamba_d_head": 64, "mamba_d_state": 128, "mamba_n_groups": 1,
    "mamba_d_conv": 4, "mamba_expand": 2, "position_embedding_type": "nope", "tie_word_embeddings": true})";
constexpr const char* bamba_9b = R"({"model_type": "bamba", "hidden_size": 4096, "num_hidden_layers": 32,
    "attn_layer_indices": [9, 18, 27], "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256,
    "intermediate_size": 14336, "mamba_n_heads": 128, "mamba_d_head": "auto", "mamba_d_state": 128,
    "mamba_n_groups": 1, "mamba_expand": 2})";
constexpr const char* falcon_h1_34b = R"({"model_type": "falcon_h1", "hidden_size": 5120, "num_hidden_layers": 72,
    "num_attention_heads": 20, "num_key_value_heads": 4, "head_dim": 128, "vocab_size": 261120,
    "intermediate_size": 21504, "mamba_n_heads": 32, "mamba_d_head": 128, "mamba_d_state": 256, "mamba_n_groups": 2,
    "mamba_d_ssm": 4096, "mamba_rms_norm": false})";
constexpr const char* kimi_linear = R"({"model_type": "kimi_linear", "hidden_size": 2304, "num_hidden_layers": 27,
    "num_attention_heads": 32, "num_key_value_heads": 32, "vocab_size": 163840, "intermediate_size": 9216,
    "kv_lora_rank": 512, "q_lora_rank": null, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
    "linear_attn_config": {"num_heads": 32, "head_dim": 128, "short_conv_kernel_size": 4,
        "kda_layers": [1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19, 21, 22, 23, 25, 26],
        "full_attn_layers": [4, 8, 12, 16, 20, 24, 27]},
    "num_experts": 256, "num_experts_per_token": 8, "moe_intermediate_size": 1024, "num_shared_experts": 1,
    "first_k_dense_replace": 1, "moe_layer_freq": 1})";
constexpr const char* minimax_01 = R"({"model_type": "minimax_text_01", "hidden_size": 6144, "num_hidden_layers": 80,
    "attn_type_list": [LAYERS], "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128,
    "vocab_size": 200064, "intermediate_size": 9216, "num_local_experts": 32, "num_experts_per_tok": 2})";

// The list alone says how many layers there are; and Python's word for a number that JSON has not.
constexpr const char* nemotron_3_super = R"({"model_type": "nemotron_h", "hidden_size": 4096,
    "layers_block_type": [LAYERS], "mtp_layers_block_type": ["attention", "moe"], "num_nextn_predict_layers": 1,
    "num_attention_heads": 32, "num_key_value_heads": 2, "head_dim": 128, "vocab_size": 131072,
    "intermediate_size": 2688, "mamba_num_heads": 128, "mamba_head_dim": 64, "ssm_state_size": 128, "n_groups": 8,
    "n_routed_experts": 512, "num_experts_per_tok": 22, "moe_intermediate_size": 2688, "moe_latent_size": 1024,
    "n_shared_experts": 1, "moe_shared_expert_intermediate_size": 5376, "time_step_limit": [0.0, Infinity]})";
constexpr const char* qwen3_5 = R"({"model_type": "qwen3_5_moe", "tie_word_embeddings": false, "text_config":
    {"model_type": "qwen3_5_moe_text", "hidden_size": 4096, "num_hidden_layers": 60, "full_attention_interval": 4,
    "num_attention_heads": 32, "num_key_value_heads": 2, "head_dim": 256, "vocab_size": 248320,
    "attn_output_gate": true, "linear_num_value_heads": 64, "linear_num_key_heads": 16, "linear_key_head_dim": 128,
    "linear_value_head_dim": 128, "linear_conv_kernel_dim": 4, "num_experts": 512, "num_experts_per_tok": 10,
    "moe_intermediate_size": 1024, "shared_expert_intermediate_size": 1024, "mtp_num_hidden_layers": 1}})";
constexpr const char* kimi_k3 = R"({"model_type": "kimi_linear", "hidden_size": 7168, "num_hidden_layers": 93,
    "num_attention_heads": 96, "num_key_value_heads": 96, "vocab_size": 163840, "intermediate_size": 33792,
    "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
    "mla_use_output_gate": true, "linear_attn_config": {"num_heads": 96, "head_dim": 128,
        "short_conv_kernel_size": 4, "use_full_rank_gate": true, "full_attn_layers": [4, 8, 12, 16, 20, 24, 28, 32,
        36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 93]},
    "num_experts": 896, "num_experts_per_token": 16, "moe_intermediate_size": 3072, "num_shared_experts": 2,
    "routed_expert_hidden_size": 3584, "latent_moe_use_norm": true, "first_k_dense_replace": 1})";

// The first as transformers saves it, the last in Zyphra's own words.
constexpr const char* zamba2_1b = R"({"model_type": "zamba2", "adapter_rank": 128, "add_bias_linear": false,
    "attention_head_dim": 128, "hidden_act": "gelu", "hidden_size": 2048, "intermediate_size": 8192,
    "layers_block_type": [LAYERS], "mamba_d_conv": 4, "mamba_d_state": 128, "mamba_expand": 2, "mamba_headdim": 64,
    "mamba_ngroups": 1, "n_mamba_heads": 64, "num_attention_heads": 32, "num_hidden_layers": 38,
    "num_key_value_heads": 32, "num_mem_blocks": 1, "use_mem_rope": true, "use_shared_attention_adapter": true,
    "vocab_size": 32000})";
constexpr const char* zamba2_7b = R"({"model_type": "zamba2", "add_bias_linear": false, "conv_dimension": 4,
    "expansion_factor": 2, "ffn_hidden_size": 14336, "hidden_size": 3584, "layers_block_type": [LAYERS],
    "lora_rank": 128, "mamba_headdim": 64, "mamba_ngroups": 2, "num_attention_heads": 32, "num_hidden_layers": 81,
    "num_key_value_heads": 32, "num_mem_blocks": 2, "state_size": 64, "use_mem_rope": true,
    "use_shared_attention_lora": false, "vocab_size": 32000})";
constexpr const char* gemma4_e2b = R"({"model_type": "gemma4_text", "attention_k_eq_v": false, "global_head_dim": 512,
    "head_dim": 256, "hidden_size": 1536, "hidden_size_per_layer_input": 256, "intermediate_size": 6144,
    "layer_types": [LAYERS], "num_attention_heads": 8, "num_hidden_layers": 35, "num_key_value_heads": 1,
    "num_kv_shared_layers": SHARED, "sliding_window": 512, "use_double_wide_mlp": true, "vocab_size": 262144,
    "vocab_size_per_layer_input": 262144})";

constexpr const char* glm_5 = R"({"model_type": "glm_moe_dsa", "hidden_size": 6144, "num_hidden_layers": 78,
    "num_attention_heads": 64, "num_key_value_heads": 64, "head_dim": 64, "vocab_size": 154880,
    "intermediate_size": 12288, "moe_intermediate_size": 2048, "n_routed_experts": 256, "num_experts_per_tok": 8,
    "n_shared_experts": 1, "first_k_dense_replace": 3, "moe_layer_freq": 1, "kv_lora_rank": 512, "q_lora_rank": 2048,
    "qk_nope_head_dim": 192, "qk_rope_head_dim": 64, "v_head_dim": 256, "num_nextn_predict_layers": 1,
    "index_n_heads": 32, "index_head_dim": 128, "index_topk": 2048, "indexer_types": [LAYERS]})";

// `layers` words of which those at `at` are the second one.
QString with_layers(const char* config, int layers, const QString& usual, const QString& other,
                    const std::function<bool(int)>& is_other) {
    QStringList words;
    for (int i = 0; i < layers; ++i) words << (is_other(i) ? other : usual);
    return QString(config).replace("LAYERS", words.join(", "));
}

ImportedModel imported(const QString& config) {
    const auto read = import_model(config.toStdString(), {.file = "config.json", .name = "hybrid"});
    if (!read) qFatal("%s", say(read.error()).c_str());
    return *read;
}

}  // namespace

class HybridImportTest : public QObject {
    Q_OBJECT

private slots:
    void released_models_are_counted_to_the_last_digit_data() {
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<double>("parameters");
        QTest::newRow("Nemotron 3 Nano: half layers by letters") << nemotron_3_nano
            << "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME" << 31'577'940'288.0;
        QTest::newRow("Nemotron Nano 9B v2: dense half layers") << nemotron_nano_9b
            << "M-M-M-MM-M-M-M*-M-M-M*-M-M-M-M*-M-M-M-M*-M-MM-M-M-M-M-M-" << 8'888'227'328.0;
        QTest::newRow("Qwen3-Next: every fourth layer attends") << qwen3_next << QString("GGGA").repeated(12)
            << 79'674'391'296.0;
        QTest::newRow("Granite 4.0 H Small: a list of words")
            << with_layers(granite_small, 40, "\"mamba\"", "\"attention\"", [](int i) { return i % 10 == 5; })
            << QString("MMMMMAMMMM").repeated(4) << 32'207'337'984.0;
        QTest::newRow("Bamba: numbers of the layers that attend") << bamba_9b
            << "MMMMMMMMMAMMMMMMMMAMMMMMMMMAMMMM" << 9'780'235'392.0;
        QTest::newRow("Falcon-H1: two mixers in every layer") << falcon_h1_34b << QString("H").repeated(72)
            << 33'642'221'312.0;
        QTest::newRow("Kimi Linear: numbers from 1, the first layer dense") << kimi_linear
            << "kKKAKKKAKKKAKKKAKKKAKKKAKKA" << 49'122'681'728.0;
        QTest::newRow("MiniMax-Text-01: ones and noughts")
            << with_layers(minimax_01, 80, "0", "1", [](int i) { return i % 8 == 7; })
            << QString("LLLLLLLA").repeated(10) << 456'089'655'296.0;
        const QString super = "MEMEMEM*EMEMEMEM*EMEMEMEM*" + QString("EMEMEMEMEM*").repeated(4) +
                              "EMEMEMEM*EMEMEMEME";
        QStringList words;
        for (const QChar c : super) words << (c == 'M' ? "\"mamba\"" : c == 'E' ? "\"moe\"" : "\"attention\"");
        QTest::newRow("Nemotron 3 Super: the list alone, and its module")
            << QString(nemotron_3_super).replace("LAYERS", words.join(", ")) << super << 123'611'033'088.0;
        QTest::newRow("Qwen3.5 397B: no dense width; text and module of the released 403,397,928,944")
            << QString(qwen3_5) << QString("GGGA").repeated(15) << 403'397'928'944.0 - 456'010'480.0;
        QTest::newRow("Kimi K3: experts at a latent width, gates behind attention") << QString(kimi_k3)
            << "k" + QString("KKAK").repeated(22) + "KKAA" << 2'779'481'795'168.0;
        // A public run counts the first so (Zyphra/Zamba2-1.2B-Instruct-v2). The other
        // is released in files of 4.81 + 4.97 + 4.93 GB, in 16 bits.
        QTest::newRow("Zamba2 1.2B: one transformer layer in front of every sixth")
            << with_layers(zamba2_1b, 38, "\"mamba\"", "\"hybrid\"", [](int i) { return i % 6 == 5; })
            << QString("MMMMMAM").repeated(6) + "MM" << 1'215'064'704.0;
        QTest::newRow("Zamba2 7B in Zyphra's words: two of them in turn")
            << with_layers(zamba2_7b, 81, "\"m\"", "\"g\"",
                           [](int i) { return i == 6 || (i > 6 && i % 6 == 5); })
            << "MMMMMMAMMMMMB" + QString("MMMMMMAMMMMMMB").repeated(5) + "MMMMMMAMMMM" << 7'356'749'648.0;
        QTest::newRow("GLM-5 with its module: an indexer in every layer")
            << with_layers(glm_5, 78, "\"full\"", "\"shared\"", [](int) { return false; }) << "" << 753'864'139'008.0;
        QTest::newRow("GLM-5.2 with its module: most layers borrow an index")
            << with_layers(glm_5, 78, "\"full\"", "\"shared\"", [](int i) { return i > 2 && (i - 2) % 4 != 0; })
            << "DDD" + QString("eeeE").repeated(18) + "eee" << 753'329'940'480.0;
    }
    void released_models_are_counted_to_the_last_digit() {
        QFETCH(QString, config);
        QFETCH(QString, pattern);
        QFETCH(double, parameters);
        const ImportedModel read = imported(config);
        QVERIFY(read.model.has_value());
        QCOMPARE(QString::fromStdString(read.model->pattern), pattern);
        QCOMPARE(plimsoll::parameters(*read.model), parameters);
        QCOMPARE(plimsoll::parameters(read.shapes), parameters);
    }

    void keys_of_earlier_layers_are_read_data() {
        QTest::addColumn<int>("shared");
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<double>("parameters");
        // Transformers' text decoder, as several public files count it.
        QTest::newRow("Gemma 4 E2B") << 20 << "WWWWAWWWWAWWWULVVVVBVVVVBVVVVBVVVVB" << 4'628'569'344.0;
    }
    void keys_of_earlier_layers_are_read() {
        QFETCH(int, shared);
        QFETCH(QString, pattern);
        QFETCH(double, parameters);
        const QString config = with_layers(gemma4_e2b, 35, "\"sliding_attention\"", "\"full_attention\"",
                                           [](int i) { return i % 5 == 4; });
        const ImportedModel read = imported(QString(config).replace("SHARED", QString::number(shared)));
        QCOMPARE(QString::fromStdString(read.model->pattern), pattern);
        QCOMPARE(plimsoll::parameters(*read.model), parameters);
    }

    void what_a_shared_layer_cannot_be_is_refused_data() {
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("said");
        const QString zamba = with_layers(zamba2_1b, 38, "\"mamba\"", "\"hybrid\"", [](int i) { return i == 5; });
        const QString gemma = with_layers(gemma4_e2b, 35, "\"sliding_attention\"", "\"full_attention\"",
                                          [](int i) { return i % 5 == 4; });
        QTest::newRow("biases of projections")
            << QString(zamba).replace("\"add_bias_linear\": false", "\"add_bias_linear\": true") << "add_bias_linear";
        QTest::newRow("more transformer layers than letters")
            << QString(zamba).replace("\"num_mem_blocks\": 1", "\"num_mem_blocks\": 40") << "expected 1 to 12";
        QTest::newRow("another word") << QString(zamba).replace("\"hybrid\"", "\"conv\"") << "layers_block_type/5";
        QTest::newRow("fewer layers than the list")
            << QString(zamba).replace("layers\": 38", "layers\": 37") << "expected the 38 layers";
        QTest::newRow("nobody lends") << QString(gemma).replace("SHARED", "35") << "no layer before the last 35";
    }
    void what_a_shared_layer_cannot_be_is_refused() {
        QFETCH(QString, config);
        QFETCH(QString, said);
        const auto read = import_model(config.toStdString(), {.file = "config.json", .name = "hybrid"});
        QVERIFY(!read.has_value());
        const QString errors = QString::fromStdString(say(read.error()));
        QVERIFY2(errors.contains(said), qPrintable(errors));
    }

    void layers_of_several_kinds_are_read_data() {
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<double>("billions");   // as published, rounded
        QTest::addColumn<double>("step");
        QTest::newRow("MiMo-V2-Flash: windows by ones and noughts, experts by another list")
            << R"({"model_type": "mimo_v2_flash", "hidden_size": 4096, "num_hidden_layers": 48,
                "hybrid_layer_pattern": [0, WINDOWS], "moe_layer_freq": [0, EXPERTS], "num_attention_heads": 64,
                "num_key_value_heads": 4, "head_dim": 192, "v_head_dim": 128, "swa_num_attention_heads": 64,
                "swa_num_key_value_heads": 8, "sliding_window": 128, "intermediate_size": 16384,
                "n_routed_experts": 256, "num_experts_per_tok": 8, "moe_intermediate_size": 2048,
                "vocab_size": 152576, "add_swa_attention_sink_bias": true})"
            << "aWWWWA" + QString("WWWWWA").repeated(7) << 309.0 << 1.0;
        QTest::newRow("Hunyuan-Large: every second layer reads the keys before it")
            << R"({"model_type": "hunyuan", "hidden_size": 6400, "num_hidden_layers": 64, "num_attention_heads": 80,
                "num_key_value_heads": 8, "intermediate_size": 18304, "num_experts": 16, "moe_topk": 1,
                "num_shared_expert": 1, "use_mixed_mlp_moe": true, "use_qk_norm": true, "use_cla": true,
                "cla_share_factor": 2, "tie_word_embeddings": true, "vocab_size": 128512})"
            << QString("LB").repeated(32) << 389.0 << 1.0;
        QTest::newRow("Ring-mini-linear-2.0: groups of layers")
            << R"({"model_type": "bailing_moe_linear", "hidden_size": 2048, "num_hidden_layers": 20,
                "layer_group_size": 5, "num_attention_heads": 16, "num_key_value_heads": 4, "head_dim": 128,
                "intermediate_size": 5120, "moe_intermediate_size": 512, "num_experts": 256, "num_experts_per_tok": 8,
                "num_shared_experts": 1, "first_k_dense_replace": 1, "moe_router_enable_expert_bias": true,
                "use_qk_norm": true, "vocab_size": 157184})"
            << "lLLLA" + QString("LLLLA").repeated(3) << 16.4 << 0.1;
    }
    void layers_of_several_kinds_are_read() {
        QFETCH(QString, config);
        QFETCH(QString, pattern);
        QFETCH(double, billions);
        QFETCH(double, step);
        QStringList windows, experts;
        for (int i = 1; i < 48; ++i) windows << (i == 5 || i % 6 == 5 ? "0" : "1"), experts << "1";
        const ImportedModel read =
            imported(config.replace("WINDOWS", windows.join(", ")).replace("EXPERTS", experts.join(", ")));
        QCOMPARE(QString::fromStdString(read.model->pattern), pattern);
        QCOMPARE(std::round(parameters(*read.model) / 1e9 / step) * step, billions);
    }
};

PLIMSOLL_TEST(HybridImportTest)
#include "tst_hybrid_import.moc"
