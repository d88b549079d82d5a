// SPDX-License-Identifier: MIT
#include "cli/core/toml_document.hpp"
#include "cli/core/toml_reader.hpp"
#include "tests/catch.hpp"

using namespace metal_unlock;

namespace {

TomlNode parsed_toml(std::string_view text) {
  Result<TomlNode> document = parse_toml(text, "f.toml", FindingId::config_invalid, "do this");
  INFO((document ? "" : document.finding().sentence));
  REQUIRE(document);
  return *std::move(document);
}

/// The one value of a document of one line.
TomlNode value(const std::string& text) { return parsed_toml("key = " + text).children.at(0); }

TomlReader reader() { return {"f.toml", FindingId::config_invalid, "do this"}; }

std::string fault(const TomlReader& read) {
  return read.first_finding() ? read.first_finding()->sentence : "none";
}

}  // namespace

TEST_CASE("a document keeps the kinds, places and order of its entries") {
  const TomlNode document = parsed_toml(
      "zebra = 1\n"
      "apple = \"text\"  # comment\r\n"
      "  list = [true,\n 2.5, 2026-11-30]\n"
      "[table]\n"
      "\"quoted key\" = {inner = -3}\n");
  REQUIRE(document.children.size() == 4);
  const TomlNode& zebra = document.children[0];
  CHECK(zebra.key == "zebra");
  CHECK(zebra.kind == TomlNode::Kind::integer);
  CHECK(zebra.integer == 1);
  CHECK(zebra.key_at == Position{1, 1});
  CHECK(zebra.at == Position{1, 9});
  const TomlNode& apple = document.children[1];
  CHECK(apple.key == "apple");
  CHECK(apple.text == "text");
  CHECK(apple.at == Position{2, 9});
  const TomlNode& list = document.children[2];
  CHECK(list.kind == TomlNode::Kind::array);
  CHECK(list.key_at == Position{3, 3});
  REQUIRE(list.children.size() == 3);
  CHECK(list.children[0].boolean);
  CHECK(list.children[0].at == Position{3, 11});
  CHECK(list.children[1].kind == TomlNode::Kind::other);
  CHECK(list.children[1].at == Position{4, 2});
  CHECK(kind_name(list.children[1]) == "a float");
  CHECK(kind_name(list.children[2]) == "a date");
  const TomlNode& quoted = document.children[3].children.at(0);
  CHECK(quoted.key == "quoted key");
  CHECK(quoted.key_at == Position{6, 1});
  CHECK(quoted.children.at(0).integer == -3);
}

TEST_CASE("every kind of value has a name") {
  CHECK(kind_name(value("\"\"")) == "a string");
  CHECK(kind_name(value("1")) == "an integer");
  CHECK(kind_name(value("false")) == "a boolean");
  CHECK(kind_name(value("[]")) == "an array");
  CHECK(kind_name(value("{}")) == "a table");
  CHECK(kind_name(value("1.0")) == "a float");
  CHECK(kind_name(value("1979-05-27")) == "a date");
  CHECK(kind_name(value("07:32:00")) == "a time");
  CHECK(kind_name(value("1979-05-27T07:32:00Z")) == "a date and time");
}

TEST_CASE("a syntax error is a finding with file, line and column") {
  struct Row {
    const char* text;
    const char* place;
  };
  const Row rows[] = {
      {"a = 1\nb = \n", "f.toml:2:5: "},
      {"a = 1\na = 2\n", "f.toml:2:5: "},
      {"[t\n", "f.toml:1:3: "},
      {"a = \"é\" x\n", "f.toml:1:9: "},  // columns count letters, not bytes
      {"=", "f.toml:1:1: "},
      {"[= \"a\"]\n", "f.toml:1:2: "},
      {"[\xcf\xa9+b]\n", "f.toml:1:2: "},
      {"[a.=]\n", "f.toml:1:4: "},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto document = parse_toml(row.text, "f.toml", FindingId::config_invalid, "do this");
    REQUIRE_FALSE(document);
    CAPTURE(document.finding().sentence);
    CHECK(document.finding().id == FindingId::config_invalid);
    CHECK(document.finding().next == "do this");
    CHECK(document.finding().sentence.starts_with(row.place));
    CHECK(document.finding().sentence.find_first_of("\n\r\x1b") == std::string::npos);
  }
  CHECK(parsed_toml("").children.empty());
  CHECK(parsed_toml("# nothing").children.empty());
}

TEST_CASE("a letter outside ASCII where none may stand is a syntax error") {
  // Of every block in which the parser looks for blanks: letters that are none, and blanks.
  for (const char* letter : {"\u00a0", "\u00a1", "\u03e9", "\u1680", "\u1681", "\u180e", "\u2000", "\u202f",
                             "\u2061", "\u2d00", "\u3000", "\u3001", "\ufd00", "\ufefe", "\U0001f600"}) {
    CAPTURE(letter);
    for (const char* before : {"", "a = ", "a ", "[", "a = [1, "}) {
      CAPTURE(before);
      CHECK_FALSE(
          parse_toml(std::string{before} + letter + "+", "f.toml", FindingId::config_invalid, "do this"));
    }
    CHECK(value("\"" + std::string{letter} + "\"").text == letter);
    CHECK(parsed_toml("a = 1 # " + std::string{letter}).children.size() == 1);
  }
}

TEST_CASE("a document that is nested deeply is refused, not a crash") {
  const auto repeated = [](std::string_view part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
  };
  const auto is_accepted = [](const std::string& text) {
    return static_cast<bool>(parse_toml(text, "f.toml", FindingId::config_invalid, ""));
  };
  CHECK(is_accepted("a = " + repeated("[", 20) + repeated("]", 20)));
  CHECK_FALSE(is_accepted("a = " + repeated("[", 60000) + repeated("]", 60000)));
  CHECK_FALSE(is_accepted("a = " + repeated("{a=", 60000)));
  CHECK(is_accepted(repeated("a.", 20) + "a = 1"));
  CHECK_FALSE(is_accepted(repeated("a.", 120000) + "a = 1"));
  CHECK_FALSE(is_accepted("[" + repeated("a.", 120000) + "a]"));
}

TEST_CASE("a reader keeps the first fault and goes on with harmless values") {
  TomlReader read = reader();
  CHECK(read.text(value("1")) == "-");
  CHECK_FALSE(read.boolean(value("1")));
  CHECK(read.integer(value("true"), 3, 5) == 3);
  CHECK(read.texts(value("\"a\"")).empty());
  CHECK(read.entries_of(value("1")).empty());
  REQUIRE(read.first_finding());
  CHECK(*read.first_finding() ==
        Finding{FindingId::config_invalid, "f.toml:1:7: 'key' is an integer, not a string", "do this"});
}

TEST_CASE("a reader takes what it is asked for") {
  TomlReader read = reader();
  CHECK(read.text(value("\"a text, é\"")) == "a text, é");
  CHECK(read.texts(value("[\"a\", \"b\"]")) == std::vector<std::string>{"a", "b"});
  CHECK(read.texts(value("[]")).empty());
  CHECK(read.boolean(value("true")));
  CHECK_FALSE(read.boolean(value("false")));
  CHECK(read.integer(value("3"), 3, 5) == 3);
  CHECK(read.integer(value("5"), 3, 5) == 5);
  CHECK(read.entries_of(value("{a = 1, b = 2}")).size() == 2);
  CHECK(read.elements_of(value("[1, 2, 3]")).size() == 3);
  CHECK(fault(read) == "none");
}

TEST_CASE("a reader says what is wrong with a value") {
  using Read = void (*)(TomlReader&, const TomlNode&);
  const Read text = [](TomlReader& read, const TomlNode& node) { read.text(node); };
  const Read texts = [](TomlReader& read, const TomlNode& node) { read.texts(node); };
  const Read boolean = [](TomlReader& read, const TomlNode& node) { read.boolean(node); };
  const Read integer = [](TomlReader& read, const TomlNode& node) { read.integer(node, 3, 5); };
  const Read table = [](TomlReader& read, const TomlNode& node) { read.entries_of(node); };
  struct Row {
    Read read;
    std::string text;
    std::string fault;
  };
  const Row rows[] = {
      {text, "\"\"", "f.toml:1:7: 'key' is empty"},
      {text, "[]", "f.toml:1:7: 'key' is an array, not a string"},
      {text, "\"a\\nb\"", "f.toml:1:7: 'key' holds a control character"},
      {text, "\"a\\u007f\"", "f.toml:1:7: 'key' holds a control character"},
      {texts, "[\"a\", 2]", "f.toml:1:13: an element is an integer, not a string"},
      {texts, "[\"a\", \"\"]", "f.toml:1:13: an element is empty"},
      {texts, "\"a\"", "f.toml:1:7: 'key' is a string, not an array"},
      {boolean, "\"true\"", "f.toml:1:7: 'key' is a string, not true or false"},
      {integer, "2", "f.toml:1:7: 'key' is 2, not within 3 and 5"},
      {integer, "6", "f.toml:1:7: 'key' is 6, not within 3 and 5"},
      {integer, "4.0", "f.toml:1:7: 'key' is a float, not an integer"},
      {table, "[1]", "f.toml:1:7: 'key' is an array, not a table"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    TomlReader read = reader();
    row.read(read, value(row.text));
    CHECK(fault(read) == row.fault);
  }
}

TEST_CASE("an amount is held to the bounds of its field") {
  const auto amount = [](Field field, const std::string& text) {
    TomlReader read = reader();
    const std::uint64_t taken = read.amount(value(text), field_row(field));
    return read.first_finding() ? read.first_finding()->sentence : std::to_string(taken);
  };
  CHECK(amount(Field::apple_family, "1001") == "1001");
  CHECK(amount(Field::apple_family, "1999") == "1999");
  CHECK(amount(Field::apple_family, "1000") == "f.toml:1:7: 'key' is 1000, not within 1001 and 1999");
  CHECK(amount(Field::apple_family, "6001") == "f.toml:1:7: 'key' is 6001, not within 1001 and 1999");
  CHECK(amount(Field::max_threadgroup_memory, "16") == "16");
  CHECK(amount(Field::max_threadgroup_memory, "24") == "f.toml:1:7: 'key' is 24, not a multiple of 16");
  CHECK(amount(Field::max_threadgroup_memory, "281474976710640") == "281474976710640");
  CHECK(amount(Field::recommended_max_working_set, "281474976710656")
            .starts_with("f.toml:1:7: 'key' is 281474976710656, not within"));
  // A size may be the number of a family that is never claimed.
  CHECK(amount(Field::max_threadgroup_memory, "5008") == "5008");
}

TEST_CASE("a family outside the Apple range is refused with its reason") {
  TomlReader read = reader();
  read.amount(value("5001"), field_row(Field::apple_family));
  REQUIRE(read.first_finding());
  CHECK(read.first_finding()->id == FindingId::claim_refused);
  CHECK(fault(read).starts_with("f.toml:1:7: Metal3 (5001) is never claimed: MLX"));
  TomlReader huge = reader();
  huge.amount(value("4294968303"), field_row(Field::apple_family));  // 2^32 + 1007
  CHECK(fault(huge) == "f.toml:1:7: 'key' is 4294968303, not within 1001 and 1999");
}

TEST_CASE("a table's keys go to their handlers, and an unknown one names the nearest") {
  TomlReader read = reader();
  std::vector<std::string> seen;
  const TomlReader::Handler handler = [&](const TomlNode& node) { seen.push_back(node.key); };
  read.read_table(parsed_toml("profile = 1\npolicy = 2\n"), {{"policy", handler}, {"profile", handler}});
  CHECK(seen == std::vector<std::string>{"profile", "policy"});
  CHECK(fault(read) == "none");
  read.read_table(parsed_toml("policy = 1\n profil = 2\n"), {{"policy", handler}, {"profile", handler}});
  CHECK(fault(read) == "f.toml:2:2: unknown key 'profil', did you mean profile?");
  TomlReader other = reader();
  other.read_table(parsed_toml("colour = 1\n"), {{"policy", handler}});
  CHECK(fault(other) == "f.toml:1:1: unknown key 'colour'");
}

TEST_CASE("where a file has a dot too many is told by line and column") {
  const auto read = [](const std::string& text) {
    return parse_toml(text, "f.toml", FindingId::profile_invalid, "see");
  };
  const std::string dots(1001, '.');
  const auto excess = read("a = 1\nx" + dots);
  REQUIRE_FALSE(excess);
  CHECK(excess.finding().sentence == "f.toml:2:1002: too many dots for a file of this kind");
  CHECK(read("a = 1\n# " + dots.substr(1)));
}
