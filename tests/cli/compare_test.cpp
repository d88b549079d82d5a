// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

using namespace metal_unlock;

namespace {

std::string sample(const std::string& name) { return source_directory() / "tests/samples" / name; }

const Words published{sample("tinyllama-stock.json"), sample("tinyllama-unlocked.json"),
                      sample("tinyllama-host.json")};

Words compare_words(const Words& options, const Words& files) {
  Words words{"compare"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), files.begin(), files.end());
  return words;
}

}  // namespace

TEST_CASE("the published TinyLlama series", "[compare]") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.metal_unlock(compare_words({"--json"}, published));
  CHECK(outcome.exit_status == 0);
  CHECK(outcome.err.empty());
  const json rows = json::parse(outcome.out).at("rows");
  REQUIRE(rows.size() == 2);
  const auto check = [](const json& row, double stock, double unlocked, double host, double times,
                        double share) {
    CHECK(row.at("stock").at("median").get<double>() == Approx(stock).epsilon(1e-6));
    CHECK(row.at("unlocked").at("median").get<double>() == Approx(unlocked).epsilon(1e-6));
    CHECK(row.at("host").at("median").get<double>() == Approx(host).epsilon(1e-6));
    CHECK(row.at("times_as_fast").get<double>() == Approx(times).epsilon(1e-5));
    CHECK(row.at("share_of_host").get<double>() == Approx(share).epsilon(1e-5));
    CHECK(row.at("verdict") == "faster");
  };
  check(rows.at(0), 431.8625, 4786.7, 4871.99, 11.0839, 0.982494);
  check(rows.at(1), 12.6307, 206.5965, 286.7055, 16.3567, 0.720588);
  CHECK(rows.at(1).at("stock").at("least") == 8.63801);
  CHECK(rows.at(1).at("stock").at("outliers") == json{8.63801});
}

TEST_CASE("the published series as a table", "[compare]") {
  const Sandbox sandbox;
  const std::string text = sandbox.metal_unlock(compare_words({}, published)).out;
  for (const char* part : {"11.08x", "98.25 % of the host: faster", "16.36x", "72.06 % of the host: faster",
                           "8.64 to 12.79", "stock has a sample far out, in the range: 8.64"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("the published MLX-LM pair is no measurable change", "[compare]") {
  const Sandbox sandbox;
  const Words files{sample("mlx-lm-stock.json"), sample("mlx-lm-unlocked.json")};
  const std::string text = sandbox.metal_unlock(compare_words({}, files)).out;
  CHECK(text.find("1.005x (95 %: 0.991 to 1.016): no measurable change") != std::string::npos);
  CHECK(text.find("0.993x (95 %: 0.992 to 0.997): no measurable change") != std::string::npos);
  CHECK(text.find("faster") == std::string::npos);
}

TEST_CASE("every form holds the medians", "[compare]") {
  const Sandbox sandbox;
  const auto out = [&](const char* form) {
    return sandbox.metal_unlock(compare_words({form}, published)).out;
  };
  CHECK(out("--csv").find("\ntg128,llama 1B Q4_K - Medium,667078656,ee3d1b54c (10167),8,tokens/s,10,12.63") !=
        std::string::npos);
  CHECK(out("--markdown").find("| 11.08× | 98.25 % | faster |") != std::string::npos);
}

TEST_CASE("what compare printed can be compared again", "[compare]") {
  const Sandbox sandbox;
  const std::string first = sandbox.metal_unlock(compare_words({"--json"}, published)).out;
  const std::string file = sandbox.write("first.json", first);
  CHECK(sandbox.metal_unlock(compare_words({"--json"}, {file, file, file})).out == first);
}

TEST_CASE("a chart stands on its own", "[compare]") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.metal_unlock(compare_words({"--svg", "chart.svg"}, published));
  CHECK(outcome.exit_status == 0);
  const std::string chart = read_file(sandbox.work() / "chart.svg");
  CHECK(chart.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  for (const char* part : {"pp512", "tg128", "stock", "unlocked", "host", "4786.70", "8.64 to 12.79",
                           "16.36×", "72.06 % of the host", "prefers-color-scheme: dark", "</svg>\n"}) {
    CAPTURE(part);
    CHECK(chart.find(part) != std::string::npos);
  }
  CHECK(chart.find("href") == std::string::npos);
  const Outcome unwritable = sandbox.metal_unlock(compare_words({"--svg", "no/chart.svg"}, published));
  CHECK(unwritable.exit_status == 1);
  CHECK(unwritable.out == outcome.out);
}

TEST_CASE("inputs that cannot be used are named with their position, and nothing is written", "[compare]") {
  const Sandbox sandbox;
  const std::string whole = read_file(published[0]);
  sandbox.write("work/empty", "");
  sandbox.write("work/cut", whole.substr(0, 100));
  sandbox.write("work/broken", "[\n  {\"n_prompt\": 512,}\n]\n");
  sandbox.write("work/mixed", "[" + whole.substr(whole.find('{'), whole.find('}') - whole.find('{') + 1) +
                                  ",\n" + read_file(sample("mlx-lm-stock.json")) + "]");
  sandbox.write("work/words", "hello\n");
  std::filesystem::resize_file(sandbox.write("work/large", "[ "), 100 * 1024 * 1024);
  sandbox.write("work/chart.svg", "mine");
  const std::map<std::string, std::string> places{{"empty", "empty:1:1 is empty"},
                                                  {"cut", "cut:2:99 ends in the middle"},
                                                  {"broken", "broken:2:20 is not valid JSON"},
                                                  {"mixed", "mixed:[1] is not"},
                                                  {"words", "words:1:1 has no samples"},
                                                  {"large", "'large' has 100 MiB, more than 8 MiB"},
                                                  {"nowhere", "'nowhere' cannot be read"}};
  for (const auto& [file, place] : places) {
    CAPTURE(file);
    for (std::size_t i = 0; i < 3; ++i) {
      Words files = published;
      files[i] = file;
      const Outcome outcome = sandbox.metal_unlock(compare_words({"--svg", "chart.svg"}, files));
      CAPTURE(outcome.err);
      CHECK(outcome.exit_status == 2);
      CHECK(outcome.out.empty());
      CHECK(outcome.err.find(place) != std::string::npos);
      CHECK(read_file(sandbox.work() / "chart.svg") == "mine");
    }
  }
  CHECK(sandbox.metal_unlock(compare_words({"--svg", "chart.svg"}, published)).exit_status == 0);
  CHECK(read_file(sandbox.work() / "chart.svg") != "mine");
}

TEST_CASE("what differs is named, not paired", "[compare]") {
  const Sandbox sandbox;
  std::string text = read_file(published[1]);
  text.replace(text.find("\"n_threads\": 8"), 14, "\"n_threads\": 4");
  const std::string other = sandbox.write("other.json", text);
  const Outcome outcome = sandbox.metal_unlock(compare_words({"--json"}, {published[0], other}));
  CHECK(outcome.exit_status == 1);
  CHECK(finding_ids(outcome.err) == Words{"samples-differ"});
  CHECK(outcome.err.find("pp512: threads '8' stock, '4' unlocked") != std::string::npos);
  const json document = json::parse(outcome.out);
  CHECK(document.at("rows").size() == 1);
  CHECK(document.at("rows").at(0).at("test") == "tg128");
  CHECK(document.at("mismatches").size() == 1);
}

TEST_CASE("where nothing can be paired, nothing is printed or written", "[compare]") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.metal_unlock(
      compare_words({"--svg", "chart.svg"}, {published[0], sample("mlx-lm-unlocked.json")}));
  CHECK(outcome.exit_status == 1);
  CHECK(outcome.out.empty());
  CHECK_FALSE(std::filesystem::exists(sandbox.work() / "chart.svg"));
}

TEST_CASE("wrong usage of compare", "[compare]") {
  const Sandbox sandbox;
  CHECK(sandbox.metal_unlock(compare_words({}, {published[0]})).exit_status == 2);
  CHECK(sandbox.metal_unlock(compare_words({}, {"a", "b", "c", "d"})).exit_status == 2);
  CHECK(sandbox.metal_unlock(compare_words({"--json", "--csv"}, published)).exit_status == 2);
  CHECK(sandbox.metal_unlock(compare_words({"--csv"}, published)).exit_status == 0);
}
