// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

#include <csignal>
#include <fcntl.h>
#include <netinet/in.h>
#include <pwd.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using namespace metal_unlock;

namespace {

/// A port of this machine that nobody uses.
int free_port() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool is_bound = bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                        getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  close(listener);
  if (!is_bound) throw std::runtime_error("no port is free");
  return ntohs(address.sin_port);
}

/// A guest that is reached by ssh: whoever logs in finds the sandbox.
class Fleet {
 public:
  explicit Fleet(std::string_view guest = "tahoe-26-m1-ultra") : sandbox(guest), port_(free_port()) {
    for (const char* key : {"host", "user"}) {
      const Outcome made = sandbox.execute(
          {"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "a test", "-f", path(key).string()});
      if (made.exit_status != 0) throw std::runtime_error("ssh-keygen: " + made.err);
    }
    std::filesystem::create_directory(path("run"));
    const std::string home = sandbox.home();
    sandbox.write("sshd_config",
                  "Port " + std::to_string(port_) + "\nListenAddress 127.0.0.1\nHostKey " +
                      path("host").string() + "\nAuthorizedKeysFile " + path("user.pub").string() +
                      "\nPidFile none\nUsePAM no\nStrictModes no\nPasswordAuthentication no\n"
                      "PermitRootLogin prohibit-password\nSubsystem sftp internal-sftp\nSetEnv HOME=" +
                      home + " METAL_UNLOCK_GUEST=" + guest_file(guest).string() + " XDG_CACHE_HOME=" +
                      sandbox.cache().string() + " XDG_CONFIG_HOME=" + home + "/.config\n");
    sandbox.write("guests.ini",
                  "guest ansible_host=127.0.0.1 ansible_port=" + std::to_string(port_) +
                      " ansible_user=" + getpwuid(geteuid())->pw_name +
                      " ansible_python_interpreter=/usr/bin/python3 ansible_remote_tmp=" + home +
                      "/.ansible ansible_ssh_private_key_file=" + path("user").string() +
                      " ansible_ssh_common_args='-F none -o StrictHostKeyChecking=no -o UserKnownHostsFile=" +
                      path("known").string() + " -o ControlMaster=no'\n");
    start_server();
  }

  ~Fleet() {
    kill(-server_, SIGTERM);
    waitpid(server_, nullptr, 0);
  }
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  Outcome play(const std::string& program, const Words& variables = {}) {
    sandbox.set("ANSIBLE_LOCAL_TEMP", path("local").string());
    sandbox.set("ANSIBLE_CONFIG", sandbox.write("ansible.cfg", "[defaults]\n").string());
    sandbox.set("LC_ALL", "C.UTF-8");
    sandbox.set("ANSIBLE_NOCOWS", "1");
    sandbox.set("ANSIBLE_PIPELINING", "1");  // a module goes through the ssh that runs it
    Words words{"ansible-playbook", "-i", path("guests.ini"), "-e", "program=" + program};
    for (const std::string& variable : variables) {
      words.emplace_back("-e");
      words.push_back(variable);
    }
    words.push_back(source_directory() / "docs/examples/fleet.yml");
    return sandbox.execute(words);
  }

  std::filesystem::path installed() const { return sandbox.home() / ".local/bin/metal-unlock"; }
  std::filesystem::path report() const {
    return sandbox.home() / ".config/metal-unlock/metal-unlock-host.toml";
  }

  Sandbox sandbox;

 private:
  std::filesystem::path path(const std::string& name) const { return sandbox.home().parent_path() / name; }

  /// In the foreground, so that it ends with the test. As root sshd wants a folder below /run, which it gets
  /// in a mount of its own.
  void start_server() {
    const std::string server = "/usr/sbin/sshd -D -e -f " + path("sshd_config").string();
    const std::string with_folder = "mount -t tmpfs none /run && mkdir -m 755 /run/sshd && exec " + server;
    server_ = fork();
    if (server_ == 0) {
      setpgid(0, 0);
      const int log = creat(path("sshd.log").c_str(), 0600);
      dup2(log, STDOUT_FILENO);
      dup2(log, STDERR_FILENO);
      if (geteuid() == 0) execlp("unshare", "unshare", "--mount", "sh", "-c", with_folder.c_str(), nullptr);
      execlp("sh", "sh", "-c", ("exec " + server).c_str(), nullptr);
      _exit(127);
    }
    while (read_log().find("Server listening") == std::string::npos) {
      if (waitpid(server_, nullptr, WNOHANG) != 0) throw std::runtime_error("sshd: " + read_log());
      usleep(10'000);
    }
  }

  std::string read_log() const {
    return std::filesystem::exists(path("sshd.log")) ? read_file(path("sshd.log")) : "";
  }

  int port_;
  pid_t server_ = -1;
};

}  // namespace

TEST_CASE("the playbook puts the program into a guest, asks it, and proves that it unlocks") {
  Fleet fleet;
  const std::string report = fleet.sandbox.write(
      "host.toml", fleet.sandbox
                       .execute({"env", "METAL_UNLOCK_GUEST=" + guest_file("bare-metal-m1-ultra").string(),
                                 metal_unlock_program(), "host", "report"})
                       .out);
  const Outcome outcome = fleet.play(
      metal_unlock_program(),
      {"host_report=" + report, "target=" + metal_caps_program(), "proof=" + metal_caps_program()});
  INFO(outcome.out << outcome.err);
  REQUIRE(outcome.exit_status == 0);
  CHECK(outcome.out.find("\"msg\": \"ready\"") != std::string::npos);
  CHECK(read_file(fleet.installed()) == read_file(metal_unlock_program()));
  CHECK(read_file(fleet.report()) == read_file(report));
  CHECK_FALSE(std::filesystem::exists(fleet.installed().string() + ".before"));

  const Outcome again = fleet.play(metal_unlock_program(), {"host_report=" + report});
  CHECK(again.exit_status == 0);
  CHECK_FALSE(std::filesystem::exists(fleet.installed().string() + ".before"));
}

TEST_CASE("a guest that is not ready is as it was before") {
  Fleet fleet("unknown-future-chip");
  for (const std::string& before : {std::string{}, std::string{"#!/bin/sh\nexit 0\n"}}) {
    CAPTURE(before);
    if (!before.empty()) fleet.sandbox.write_program("home/.local/bin/metal-unlock", before);
    const Outcome outcome = fleet.play(metal_unlock_program());
    INFO(outcome.out << outcome.err);
    CHECK(outcome.exit_status == 2);
    CHECK(outcome.out.find("rolled back: not ready") != std::string::npos);
    CHECK(std::filesystem::exists(fleet.installed()) == !before.empty());
    if (!before.empty()) CHECK(read_file(fleet.installed()) == before);
    CHECK_FALSE(std::filesystem::exists(fleet.report()));
    CHECK_FALSE(std::filesystem::exists(fleet.installed().string() + ".before"));
  }
}

TEST_CASE("a program that does not even run is taken back, and so is one that cannot be proven") {
  Fleet fleet;
  const std::string broken = fleet.sandbox.write_program("broken", "#!/bin/sh\nexit 1\n");
  const Outcome outcome = fleet.play(broken);
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_status == 2);
  CHECK(outcome.out.find("rolled back") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(fleet.installed()));

  // `true` asks Metal nothing, so nothing is proven.
  CHECK(fleet.play(metal_unlock_program(), {"proof=true"}).exit_status == 2);
  CHECK_FALSE(std::filesystem::exists(fleet.installed()));
}
