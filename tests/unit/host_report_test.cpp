// SPDX-License-Identifier: MIT
#include "cli/core/host_report.hpp"

#include "cli/core/select.hpp"
#include "cli/core/toml_document.hpp"
#include "cli/core/toml_write.hpp"
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/json.hpp"
#include "tests/text_search.hpp"
#include "tests/unit/recorded_system.hpp"

#include <filesystem>

using namespace metal_unlock;

namespace {

using Words = std::vector<std::string>;

GuestReport recorded(const std::string& name) {
  auto report = parse_guest_report(read_file(guest_file(name)), name);
  REQUIRE(report);
  return *std::move(report);
}

HostReport report_of(const std::string& host) {
  const GuestReport machine = recorded(host);
  auto report = make_host_report(machine.machine, machine.devices, "0.1.0");
  REQUIRE(report);
  return *std::move(report);
}

const std::string shares = "/Volumes/My Shared Files";
const std::string configured = "/home/me/.config/metal-unlock/metal-unlock-host.toml";

/// What a dry run in a guest on an M1 Ultra prints, with these files in it.
RecordedSystem dry_run(const std::map<std::string, std::string>& files, const Words& options = {},
                       const std::string& guest = "tahoe-26-m1-ultra") {
  RecordedSystem system(guest);
  system.shares = shares;
  for (const auto& [path, text] : files) system.add_file(path, text);
  Words words{"run", "--dry-run"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", "tool"});
  system.run(words);
  return system;
}

}  // namespace

TEST_CASE("a written host report reads back as it was, for every recorded host") {
  for (const char* host : {"bare-metal-m1-ultra", "bare-metal-m3-pro", "bare-metal-m5"}) {
    CAPTURE(host);
    HostReport written = report_of(host);
    auto read = parse_host_report(host_report_toml(written), "a.toml");
    INFO((read ? "" : read.finding().sentence));
    REQUIRE(read);
    written.path = "a.toml";
    written.device.class_name.clear();  // the class is of no use in a guest
    CHECK(*read == written);
    CHECK(host_report_toml(*read) == host_report_toml(written));
  }
  CHECK(report_of("bare-metal-m3-pro").gpu_cores == 18);
  CHECK_FALSE(report_of("bare-metal-m1-ultra").gpu_cores);
}

TEST_CASE("a host report holds every family that was asked about, with its answer") {
  const HostReport report = report_of("bare-metal-m1-ultra");
  for (const auto& [first, last] : asked_families())
    for (std::uint32_t number = first; number <= last; ++number) {
      CAPTURE(number);
      const bool is_refused = std::ranges::find(report.refused, GpuFamily{number}) != report.refused.end();
      CHECK(report.device.supports({number}) != is_refused);
    }
  CHECK(holds(host_report_toml(report), "1007,  # Apple1 to Apple7\n"));
  CHECK(holds(host_report_toml(report), "# 32 KiB\n"));
}

TEST_CASE("a host report is made on a host, and of its own device") {
  struct Row {
    const char* machine;
    FindingId id;
    const char* part;
  };
  const Row rows[] = {
      {"tahoe-26-m1-ultra", FindingId::host_only, "this is a guest on Apple M1 Ultra"},
      {"not-a-mac", FindingId::host_only, "no Mac with Apple silicon"},
      {"amd-mac", FindingId::host_only, "no Mac with Apple silicon"},
      {"no-device", FindingId::host_only, "no paravirtual GPU"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.machine);
    const GuestReport machine = recorded(row.machine);
    const auto report = make_host_report(machine.machine, machine.devices, "0.1.0");
    REQUIRE_FALSE(report);
    CHECK(report.finding().id == row.id);
    CHECK(holds(report.finding().sentence, row.part));
  }
  GuestReport host = recorded("bare-metal-m1-ultra");
  DeviceAnswers strange = host.devices.front();
  strange.class_name = "AppleParavirtDevice";
  host.devices.insert(host.devices.begin(), strange);
  const auto report = make_host_report(host.machine, host.devices, "0.1.0");
  REQUIRE(report);
  CHECK(report->device.class_name == "AGXG13XDevice");
  const auto none = make_host_report(host.machine, {strange}, "0.1.0");
  REQUIRE_FALSE(none);
  CHECK(none.finding().id == FindingId::no_device);
}

TEST_CASE("any text becomes a string of TOML on one line") {
  struct Row {
    std::string text;
    std::string toml;
  };
  const Row rows[] = {
      {"", "\"\""},
      {"Apple M1 Ultra", "\"Apple M1 Ultra\""},
      {"a \"b\" \\ c", "\"a \\\"b\\\" \\\\ c\""},
      {"a\nb\tc\x7f", "\"a?b?c?\""},
      {"Gr\xc3\xb6\xc3\x9f"
       "e \xe2\x86\x92 \xf0\x9f\x92\xbb",
       "\"Gr\xc3\xb6\xc3\x9f"
       "e \xe2\x86\x92 \xf0\x9f\x92\xbb\""},
      {"\xff\xc3", "\"??\""},
      {"\xc0\xaf", "\"??\""},
      {"\xe0\x80\x80", "\"???\""},
      {"\xed\xa0\x80", "\"???\""},
      {"\xf4\x90\x80\x80", "\"????\""},
      {"\xe2\x86", "\"??\""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.toml);
    CHECK(toml_string(row.text) == row.toml);
    const auto document =
        parse_toml("x = " + toml_string(row.text) + "\n", "p", FindingId::host_report_invalid, "n");
    CHECK(document);
  }
}

TEST_CASE("a report of an older system is used, with a note") {
  HostReport report = report_of("bare-metal-m1-ultra");
  Machine guest = recorded("tahoe-26-m1-ultra").machine;
  struct Row {
    const char* host_version;
    const char* host_build;
    const char* guest_version;
    const char* guest_build;
    bool is_stale;
  };
  const Row rows[] = {
      {"26.6.1", "", "26.5.2", "", false},        {"26.5.2", "", "26.5.2", "", false},
      {"26.5.1", "", "26.5.2", "", true},         {"15.7", "", "26.0", "", true},
      {"26.5", "25F70", "26.5", "25F84", true},   {"26.5", "25F84", "26.5", "25F84", false},
      {"26.5", "25F84", "26.5", "25F70", false},  {"26.5", "25F84", "26.5", "", false},
      {"26.5", "25E300", "26.5", "25F84a", true}, {"", "", "26.5", "", false},
      {"26.5", "24Z9", "26.5", "25A1", true},     {"26.5", "nonsense", "26.5", "25A1", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.host_version, row.host_build, row.guest_version, row.guest_build);
    report.os_version = row.host_version;
    report.os_build = row.host_build;
    guest.os_version = row.guest_version;
    guest.os_build = row.guest_build;
    const auto finding = check_age(report, guest);
    CHECK(finding.has_value() == row.is_stale);
    if (!finding) continue;
    CHECK(finding->id == FindingId::host_report_stale);
    CHECK(finding->severity == Severity::note);
    CHECK(holds(finding->sentence, row.guest_version));
  }
}

TEST_CASE("a host report is found in the shared folders, then in the configuration") {
  const std::string ultra = host_report_toml(report_of("bare-metal-m1-ultra"));
  struct Row {
    std::vector<std::string> places;
    std::string origin;
  };
  const std::string at_root = shares + "/metal-unlock-host.toml";
  const std::string in_a = shares + "/a/metal-unlock-host.toml";
  const std::string in_b = shares + "/b/metal-unlock-host.toml";
  const Row rows[] = {
      {{configured, in_b, in_a, at_root}, at_root},
      {{configured, in_b, in_a}, in_a},
      {{configured, in_b}, in_b},
      {{configured}, configured},
      {{shares + "/.hidden/metal-unlock-host.toml"}, "apple7"},
      {{shares + "/a/b/metal-unlock-host.toml"}, "apple7"},
      {{}, "apple7"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.origin);
    std::map<std::string, std::string> files;
    for (const std::string& place : row.places) files[place] = ultra;
    const RecordedSystem system = dry_run(files);
    const std::string origin = row.origin.front() == '/' ? "host report " + row.origin : row.origin;
    CAPTURE(system.out, system.err);
    CHECK(holds(system.out, "ceiling  " + origin + " (Apple M1 Ultra)\n"));
    CHECK(system.err.empty());
  }
}

TEST_CASE("a report that is named comes before all that are found") {
  const std::string ultra = host_report_toml(report_of("bare-metal-m1-ultra"));
  std::map<std::string, std::string> files{{configured, ultra}, {"/x/named.toml", ultra}};
  CHECK(holds(dry_run(files, {"--host-report", "/x/named.toml"}).out, "host report /x/named.toml"));
  RecordedSystem system;
  for (const auto& [path, text] : files) system.add_file(path, text);
  system.variables =
      Environment{{"PATH=/usr/bin", "METAL_UNLOCK_HOST_REPORT=/x/named.toml", "HOME=/home/me"}};
  system.run({"run", "--dry-run", "tool"});
  CHECK(holds(system.out, "host report /x/named.toml"));
}

TEST_CASE("of a found report that cannot be used a note remains, and the next source is used") {
  const std::string ultra = host_report_toml(report_of("bare-metal-m1-ultra"));
  std::string gap = ultra;
  gap.replace(gap.find(" 1003,"), 6, "");
  std::string newer = ultra;
  newer.replace(newer.find("schema = 1"), 10, "schema = 2");
  struct Row {
    std::string text;
    std::string id;
    std::string part;
  };
  const Row rows[] = {
      {host_report_toml(report_of("bare-metal-m3-pro")), "host-report-other-chip",
       "is of 'Apple M3 Pro', but this guest runs on 'Apple M1 Ultra'"},
      {ultra.substr(0, ultra.size() / 2), "host-report-invalid", ""},
      {gap, "host-report-invalid", "families names Apple4 without Apple3"},
      {newer, "host-report-invalid", "schema is 2, this program reads 1"},
      {std::string(10'000'000, '#'), "file-unreadable", ""},
      {"", "host-report-invalid", "schema is missing"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.id, row.part);
    const std::string place = shares + "/a/metal-unlock-host.toml";
    const RecordedSystem next = dry_run({{place, row.text}, {configured, ultra}});
    CHECK(holds(next.err, "note: "));
    CHECK(holds(next.err, "[" + row.id + "]"));
    CHECK(holds(next.err, row.part));
    CHECK(holds(next.err, "  next: "));
    CHECK(holds(next.out, "ceiling  host report " + configured));
    CHECK(holds(next.out, "start unlocked"));

    const RecordedSystem last = dry_run({{place, row.text}});
    CHECK(holds(last.out, "ceiling  apple7 (Apple M1 Ultra)"));
    CHECK(holds(last.out, "start unlocked"));

    const RecordedSystem named = dry_run({{place, row.text}, {configured, ultra}}, {"--host-report", place});
    CHECK(holds(named.err, "[" + row.id + "]"));
    CHECK(holds(named.err, "(set by --host-report)"));
    CHECK(holds(named.out, "refuse with 125"));
  }
}

TEST_CASE("reports are looked for in a guest only") {
  const std::map<std::string, std::string> files{{configured, "broken"}};
  for (const char* machine : {"bare-metal-m1-ultra", "not-a-mac"}) {
    const RecordedSystem system = dry_run(files, {}, machine);
    CHECK(system.err.empty());
    CHECK(holds(system.out, "start stock"));
  }
  CHECK(holds(dry_run(files).err, "[host-report-invalid]"));
}

TEST_CASE("host report writes TOML to stdout or a file, and JSON") {
  const std::string expected = host_report_toml(report_of("bare-metal-m1-ultra"));
  RecordedSystem system("bare-metal-m1-ultra");
  CHECK(system.run({"host", "report"}).status == 0);
  CHECK(system.out == expected);
  CHECK(system.acts == Words{"observe", "ask metal"});

  RecordedSystem file("bare-metal-m1-ultra");
  CHECK(file.run({"host", "report", "--output", "/x/r.toml"}).status == 0);
  CHECK(file.out.empty());
  CHECK(file.files.at("/x/r.toml").text == expected);
  file.write_fault = Finding{FindingId::report_unwritten, "'/x/r.toml' cannot be written", "look"};
  CHECK(file.run({"host", "report", "--output", "/x/r.toml"}).status == 1);
  CHECK(holds(file.err, "[report-unwritten]"));

  RecordedSystem as_json("bare-metal-m1-ultra");
  CHECK(as_json.run({"host", "report", "--json"}).status == 0);
  const json document = json::parse(as_json.out);
  CHECK(document.at("schema") == 1);
  CHECK(document.at("host").at("chip") == "Apple M1 Ultra");
  CHECK(document.at("device").at("families").size() == 13);
  CHECK(document.at("device").at("max_buffer_length").is_null());
  CHECK(as_json.run({"host", "report", "--json", "--output", "x"}).status == 2);

  RecordedSystem guest;
  CHECK(guest.run({"host", "report"}).status == 1);
  CHECK(holds(guest.err, "[host-only]"));
  CHECK_FALSE(guest.did("ask metal"));
  CHECK(guest.out.empty());
}

TEST_CASE("the host's preference is shown, set and removed, and each change says how to undo it") {
  struct Row {
    const char* action;
    PreferenceState before;
    PreferenceState after;
    bool is_changed;
    const char* part;
  };
  using enum PreferenceState;
  const Row rows[] = {
      {"status", unset, unset, false, "state       not set\n"},
      {"status", on, on, false, "state       true\n"},
      {"status", off, off, false, "state       false\n"},
      {"status", other, other, false, "state       neither true nor false\n"},
      {"enable", unset, on, true, "To undo it: metal-unlock host disable\n"},
      {"enable", off, on, true, "was false, is now true"},
      {"enable", on, on, false, "is true already; nothing was changed"},
      {"disable", on, unset, true, "To undo it: metal-unlock host enable\n"},
      {"disable", other, unset, true, "is now not set"},
      {"disable", unset, unset, false, "is not set already; nothing was changed"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.action, row.part);
    RecordedSystem system("bare-metal-m1-ultra");
    system.preference = row.before;
    CHECK(system.run({"host", row.action}).status == 0);
    CHECK(holds(system.out, row.part));
    CHECK(*system.preference == row.after);
    CHECK(system.did("set preference") == row.is_changed);
    CHECK_FALSE(system.did("ask metal"));
  }
  RecordedSystem status("bare-metal-m1-ultra");
  CHECK(status.run({"host", "status"}).status == 0);
  for (const char* part : {"all virtual machines of this user", "stopped and started again", "disputed"})
    CHECK(holds(status.out, part));
  CHECK(status.run({"host", "status", "--json"}).status == 0);
}

TEST_CASE("the preference is a host's, and run never touches it") {
  for (const char* machine : {"tahoe-26-m1-ultra", "not-a-mac"})
    for (const char* action : {"status", "enable", "disable"}) {
      CAPTURE(machine, action);
      RecordedSystem system(machine);
      CHECK(system.run({"host", action}).status == 1);
      CHECK(holds(system.err, "[host-only]"));
      CHECK_FALSE(system.did("set preference"));
    }
  for (const char* machine : {"tahoe-26-m1-ultra", "bare-metal-m1-ultra"}) {
    RecordedSystem system(machine);
    system.preference = Finding{FindingId::preference_failed, "was asked", "x"};
    system.run({"run", "tool"});
    CHECK_FALSE(system.did("set preference"));
    CHECK(system.err.empty());
  }
  RecordedSystem broken("bare-metal-m1-ultra");
  broken.preference = Finding{FindingId::preference_failed, "no preferences", "x"};
  CHECK(broken.run({"host", "enable"}).status == 1);
  CHECK(holds(broken.err, "[preference-failed]"));
}

TEST_CASE("host takes one action, and helps with its name") {
  struct Row {
    Words words;
    const char* part;
  };
  const Row rows[] = {
      {{"host"}, "host needs report, status, enable or disable"},
      {{"host", "enabel"}, "did you mean enable?"},
      {{"host", "status", "x"}, "host status takes no 'x'"},
      {{"host", "enable", "--output", "f"}, "host enable takes no --output"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.part);
    RecordedSystem system("bare-metal-m1-ultra");
    CHECK(system.run(row.words).status == 2);
    CHECK(holds(system.err, row.part));
    CHECK(system.acts.empty());
  }
}

TEST_CASE("a family that a host has and refuses is a mistake") {
  std::string text = host_report_toml(report_of("bare-metal-m1-ultra"));
  REQUIRE(parse_host_report(text, "a.toml"));
  const std::string_view refused = "refused_families = [";
  text.insert(text.find(refused) + refused.size(), "1007, ");
  const auto report = parse_host_report(text, "a.toml");
  REQUIRE_FALSE(report);
  CHECK(holds(report.finding().sentence, "Apple7 is among families and refused_families"));
}
