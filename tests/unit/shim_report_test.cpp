// SPDX-License-Identifier: MIT
#include "shim/report.hpp"
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/json.hpp"

#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace metal_unlock;
using namespace metal_unlock::shim;

namespace {

/// What an event leaves in a report's file. The report keeps the pointer, so the path must outlive it.
std::string sent(Event& event) {
  static std::string path;
  const TemporaryDirectory directory;
  path = directory.path() / "report";
  begin_report(path.c_str(), -1);
  event.send();
  begin_report("", -1);
  return read_file(path);
}

}  // namespace

TEST_CASE("an event is one line of JSON with its fields in order") {
  Event event("device");
  event.text("class", "D").open("stock", '{').number("a", 0).number("b", 18446744073709551615u).close('}');
  event.open("list", '[').item("x").item("y").close(']').truth("told", true).truth("stock", false);
  CHECK(sent(event) ==
        "{\"event\":\"device\",\"class\":\"D\",\"stock\":{\"a\":0,\"b\":18446744073709551615},"
        "\"list\":[\"x\",\"y\"],\"told\":true,\"stock\":false}\n");
}

TEST_CASE("text of any bytes stays one line of valid JSON") {
  std::string bytes;
  for (int byte = 1; byte < 256; ++byte) bytes += static_cast<char>(byte);
  Event event("e");
  const std::string line = sent(event.text("text", bytes.substr(0, 127).c_str()));
  CHECK(json::parse(line).at("text") == bytes.substr(0, 127));
  CHECK(line.find('\n') == line.size() - 1);
  Event high("e");
  CHECK(json::parse(sent(high.text("text", bytes.substr(127).c_str()))).is_object());
  Event deletion("e");
  CHECK(sent(deletion.text("text", "\x7f")) == "{\"event\":\"e\",\"text\":\"\\u007f\"}\n");
}

TEST_CASE("a line that does not fit is not written in part") {
  Event fits("e");
  CHECK_FALSE(sent(fits.text("text", std::string(900, 'x').c_str())).empty());
  Event too_long("e");
  CHECK(sent(too_long.text("text", std::string(1100, 'x').c_str())).empty());
}

TEST_CASE("events are appended, to a file that only its owner can read") {
  static std::string path;
  const TemporaryDirectory directory;
  path = directory.path() / "report";
  begin_report(path.c_str(), -1);
  Event("first").send();
  Event("second").send();
  begin_report("", -1);
  CHECK(read_file(path) == "{\"event\":\"first\"}\n{\"event\":\"second\"}\n");
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("a pipe gets events until its reader has gone or lags behind, and then nothing happens") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  begin_report("", ends[1]);
  Event("heard").send();
  char text[64] = {};
  REQUIRE(read(ends[0], text, sizeof text) > 0);
  CHECK(std::string(text) == "{\"event\":\"heard\"}\n");
  for (int i = 0; i < 100'000; ++i) Event("nobody reads this").send();
  close(ends[0]);
  Event("nobody hears this").send();
  CHECK(is_reporting());
  close_report_descriptor();
  CHECK_FALSE(is_reporting());
  CHECK(fcntl(ends[1], F_GETFD) == -1);
}

TEST_CASE("errno is left as it was") {
  begin_report("/nowhere/report", -1);
  errno = 4242;
  Event("lost").send();
  CHECK(errno == 4242);
  begin_report("", -1);
}
