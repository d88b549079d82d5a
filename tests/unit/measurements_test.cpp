// SPDX-License-Identifier: MIT
#include "cli/core/measurements.hpp"

#include "tests/catch.hpp"
#include "tests/files.hpp"

#include <random>

using namespace metal_unlock;

namespace {

std::string sample_file(const std::string& name) {
  return read_file(source_directory() / "tests/samples" / name);
}

Measurements read_samples(const std::string& text, Side side = Side::stock) {
  Result<Measurements> measurements = read_measurements(text, "FILE", side);
  INFO((measurements ? std::string{} : measurements.finding().sentence));
  REQUIRE(measurements);
  return *std::move(measurements);
}

/// The sentence about a text that must be refused.
std::string refusal(const std::string& text, Side side = Side::stock) {
  const Result<Measurements> measurements = read_measurements(text, "FILE", side);
  if (measurements) return "was read";
  CHECK(catalogue_row(measurements.finding().id).name == "samples-invalid");
  return measurements.finding().sentence;
}

const std::string row =
    R"({"build_commit": "abc", "build_number": 7, "model_type": "M", "model_size": 1024, "n_threads": 4, )"
    R"("n_prompt": 512, "n_gen": 0, "type_k": "f16", "samples_ts": [1.5, 2.5]})";

/// The row with one part replaced, which must be there.
std::string row_with(const std::string& part, const std::string& instead) {
  std::string text = row;
  const std::size_t place = text.find(part);
  REQUIRE(place != std::string::npos);
  return text.replace(place, part.size(), instead);
}

const std::string mlx = R"({"runtime": {"mlx": "1"}, "samples": [{"prompt_tokens": 8, "prompt_tps": 2,
 "generation_tokens": 4, "generation_tps": 3}]})";

}  // namespace

TEST_CASE("llama-bench says what was run") {
  const Measurements all = read_samples("[" + row + "]");
  CHECK(all.format == SampleFormat::llama_bench);
  REQUIRE(all.series.size() == 1);
  const Workload& workload = all.series.front().workload;
  CHECK(workload.test == "pp512");
  CHECK(workload.model == "M");
  CHECK(workload.model_size == Bytes{1024});
  CHECK(workload.build == "abc (7)");
  CHECK(workload.threads == 4);
  CHECK(workload.settings == std::map<std::string, std::string>{{"type_k", "f16"}});
  CHECK(all.series.front().samples == std::vector<double>{1.5, 2.5});
}

TEST_CASE("tests are named as llama-bench names them") {
  const auto name = [](const std::string& instead) {
    return read_samples(row_with(R"("n_prompt": 512, "n_gen": 0)", instead)).series.front().workload.test;
  };
  CHECK(name(R"("n_prompt": 0, "n_gen": 128)") == "tg128");
  CHECK(name(R"("n_prompt": 64, "n_gen": 32)") == "pp64+tg32");
  CHECK(name(R"("n_prompt": 64, "n_gen": 0, "n_depth": 0)") == "pp64");
  CHECK(name(R"("n_prompt": 64, "n_gen": 0, "n_depth": 4096)") == "pp64 @ d4096");
  CHECK(refusal(row_with(R"("n_prompt": 512)", R"("n_prompt": 0)")) ==
        "FILE:1: is not a test: n_prompt and n_gen are both 0");
}

TEST_CASE("lines of one workload are one series") {
  const Measurements all =
      read_samples(row + "\n\n" + row_with("[1.5, 2.5]", "[3]") + "\n" + row_with("512", "64"));
  REQUIRE(all.series.size() == 2);
  CHECK(all.series[0].samples == std::vector<double>{1.5, 2.5, 3});
  CHECK(all.series[1].workload.test == "pp64");
}

TEST_CASE("what a device or a clock says is no setting") {
  const Measurements one =
      read_samples(row_with("\"type_k\"", "\"gpu_info\": \"A\", \"test_time\": \"1\", \"type_k\""));
  const Measurements other =
      read_samples(row_with("\"type_k\"", "\"gpu_info\": \"B\", \"test_time\": \"2\", \"type_k\""));
  CHECK(one.series.front().workload == other.series.front().workload);
  const Measurements different = read_samples(row_with("f16", "q8_0"));
  CHECK_FALSE(one.series.front().workload == different.series.front().workload);
}

TEST_CASE("MLX-LM samples are two series") {
  const Measurements all = read_samples(sample_file("mlx-lm-stock.json"));
  CHECK(all.format == SampleFormat::mlx_lm);
  REQUIRE(all.series.size() == 2);
  CHECK(all.series[0].workload.test == "pp512");
  CHECK(all.series[1].workload.test == "tg128");
  CHECK(all.series[0].workload.model == "mlx-community/Llama-3.2-3B-Instruct-4bit");
  CHECK(all.series[0].workload.build == "mlx 0.32.0, mlx_lm 0.31.3");
  CHECK(all.series[0].samples.size() == 10);
}

TEST_CASE("every sample file of the repository is read") {
  for (const char* name : {"tinyllama-stock.json", "tinyllama-unlocked.json", "tinyllama-host.json",
                           "mlx-lm-unlocked.json", "llama-bench-cpu.jsonl"}) {
    CAPTURE(name);
    CHECK(read_samples(sample_file(name)).series.size() == 2);
  }
}

TEST_CASE("timing lines of llama-server") {
  const Measurements all = read_samples(sample_file("llama-server.log"));
  CHECK(all.format == SampleFormat::timing_lines);
  REQUIRE(all.series.size() == 2);
  CHECK(all.series[0].workload.test == "pp51");
  CHECK(all.series[0].samples == std::vector<double>{430.31, 432.02});
  CHECK(all.series[1].workload.test == "tg");
  CHECK(all.series[1].samples == std::vector<double>{12.63, 12.60});
  CHECK(all.series[0].workload.model == "TinyLlama");
  CHECK(all.series[0].workload.threads == 8);
  CHECK(all.series[0].workload.build.starts_with("10167 (ee3d1b54c)"));
}

TEST_CASE("timing lines of llama-cli, where an empty prompt is no sample") {
  const Measurements all = read_samples(sample_file("llama-cli.log"));
  REQUIRE(all.series.size() == 1);
  CHECK(all.series[0].workload.test == "tg");
  CHECK(all.series[0].samples == std::vector<double>{206.67});
}

TEST_CASE("timing lines of Ollama") {
  const Measurements all = read_samples(sample_file("ollama.log"));
  REQUIRE(all.series.size() == 2);
  CHECK(all.series[0].workload.test == "pp26");
  CHECK(all.series[0].samples == std::vector<double>{199.23});
  CHECK(all.series[1].samples == std::vector<double>{129.57});
}

TEST_CASE("a timing line that is cut off is refused with its number") {
  const std::string log = sample_file("llama-server.log");
  const std::size_t end = log.find(" tokens per second)", log.find("12.63"));
  CHECK(refusal(log.substr(0, end)) == "FILE:7 begins as a timing line and is none");
  CHECK(refusal("x\neval rate: fast\n") == "FILE:2 begins as a timing line and is none");
  CHECK(refusal("prompt eval count: many\n") == "FILE:1 begins as a timing line and is none");
}

TEST_CASE("broken JSON is refused with line and column") {
  CHECK(refusal("[\n  {\"a\": 1,}\n]") == "FILE:2:11 is not valid JSON");
  CHECK(refusal("{\"a\": nan}") == "FILE:1:8 is not valid JSON");
  CHECK(refusal("[1e999]").starts_with("FILE:1:"));
  CHECK(refusal(row + "\n{\"a\": }\n") == "FILE:2:7 is not valid JSON");
  CHECK(refusal(std::string(100, '[')) == "FILE:1:33 is nested deeper than 32");
  CHECK(refusal("{\"a\": \"" + std::string(100, '[') + "\"}").find("nested") == std::string::npos);
}

TEST_CASE("wherever a file is cut off, it is refused") {
  for (const std::string& whole : {"[" + row + ",\n" + row_with("512", "64") + "]", mlx}) {
    CHECK(read_samples(whole).series.size() == 2);
    for (std::size_t length = 1; length < whole.size(); ++length) {
      CAPTURE(length);
      CHECK(refusal(whole.substr(0, length)).starts_with("FILE:"));
    }
  }
  // Lines are whole or not; a file of whole lines is a whole file.
  const std::string lines = row + "\n" + row;
  CHECK(refusal(lines.substr(0, lines.size() - 1)).starts_with("FILE:2:"));
}

TEST_CASE("nothing is refused with a position") {
  for (const char* text : {"", "\n", " \t\r\n"}) CHECK(refusal(text) == "FILE:1:1 is empty");
  CHECK(refusal("hello\n") == "FILE:1:1 has no samples of a known form");
  CHECK(refusal("[]") == "FILE is not a list with something in it");
  CHECK(refusal("{}") == "FILE:1: is not of a known form: no samples are in it");
  CHECK(refusal("[1]") == "FILE:[0] is not an object");
}

TEST_CASE("a key that is missing or of another kind is named") {
  CHECK(refusal("[" + row + ", " + row_with("\"model_type\": \"M\", ", "") + "]") ==
        "FILE:[1].model_type is missing");
  CHECK(refusal(row_with("\"M\"", "1")) == "FILE:1:model_type is not a text");
  CHECK(refusal(row_with("\"n_threads\": 4", "\"n_threads\": -4")) ==
        "FILE:1:n_threads is not a whole number");
  CHECK(refusal(row_with("[1.5, 2.5]", "[]")) == "FILE:1:samples_ts is not a list with something in it");
  CHECK(refusal(row_with("2.5", "-2.5")) == "FILE:1:samples_ts[1] is not a number that is not negative");
  CHECK(refusal(row_with("2.5", "null")) == "FILE:1:samples_ts[1] is not a number that is not negative");
}

TEST_CASE("two forms in one file are refused") {
  const std::string one_line_mlx =
      R"({"samples": [{"prompt_tokens": 8, "prompt_tps": 2, "generation_tokens": 4, )"
      R"("generation_tps": 3}]})";
  CHECK(read_samples(one_line_mlx).format == SampleFormat::mlx_lm);
  CHECK(refusal("[" + row + "," + one_line_mlx + "]") ==
        "FILE:[1] is not llama-bench JSON, as what is before it is");
  CHECK(refusal(one_line_mlx + "\n" + row) == "FILE:2: is not MLX-LM JSON, as what is before it is");
  CHECK(refusal(row_with("\"type_k\"", "\"samples\": [], \"type_k\"")) ==
        "FILE:1: is not of one form: it has keys of several");
}

TEST_CASE("more samples of one workload than anybody takes are refused") {
  std::string samples = "[1";
  for (int i = 1; i < 100'000; ++i) samples += ",1";
  CHECK(read_samples(row_with("[1.5, 2.5]", samples + "]")).series.front().samples.size() == 100'000);
  CHECK(refusal(row_with("[1.5, 2.5]", samples + ",1]")) == "FILE:pp512 has more than 100000 samples");
}

TEST_CASE("whatever happens to a file, it is read or refused, with its name") {
  std::mt19937 generator{1};
  for (const char* name :
       {"tinyllama-stock.json", "llama-bench-cpu.jsonl", "llama-server.log", "ollama.log"}) {
    const std::string whole = sample_file(name);
    for (int round = 0; round < 100; ++round) {
      std::string text = whole;
      for (unsigned changes = 1 + generator() % 4; changes > 0; --changes) {
        const std::size_t place = generator() % text.size();
        if (generator() % 2 == 0)
          text[place] = static_cast<char>(generator() % 256);
        else
          text.erase(place, generator() % 40);
      }
      CAPTURE(name, round);
      const Result<Measurements> measurements = read_measurements(text, "FILE", Side::stock);
      if (measurements)
        CHECK_FALSE(measurements->series.empty());
      else
        CHECK(measurements.finding().sentence.starts_with("FILE"));
    }
  }
}

TEST_CASE("brackets in a text nest nothing, also behind a quote in it") {
  const std::string model = "M\\\"" + std::string(40, '[');
  const Measurements all =
      read_samples("[" + row_with("\"model_type\": \"M", "\"model_type\": \"" + model) + "]");
  CHECK(all.series.size() == 1);
}

TEST_CASE("a prompt of no tokens is no sample, whatever speed is printed") {
  const std::string words = " tokens ( 2.50 ms per token, 400.00 tokens per second)\n";
  const std::string rest =
      "       eval time = 10.00 ms / 4 runs ( 2.50 ms per token, 400.00 tokens per second)\n";
  CHECK(read_samples("prompt eval time = 10.00 ms / 4" + words + rest).series.size() == 2);
  const Measurements all = read_samples("prompt eval time = 10.00 ms / 0" + words + rest);
  REQUIRE(all.series.size() == 1);
  CHECK(all.series.front().workload.test == "tg");
}
