// SPDX-License-Identifier: MIT
#include "tests/metal_stdlib/kernel_reader.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace metal_unlock {
namespace {

/// What a thread may ask for of its place, and what that is here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> places{{
    {"thread_position_in_grid",
     "at.threadgroup_number * at.threads_in_threadgroup + at.thread_in_threadgroup"},
    {"thread_position_in_threadgroup", "at.thread_in_threadgroup"},
    {"threadgroup_position_in_grid", "at.threadgroup_number"},
    {"threads_per_threadgroup", "at.threads_in_threadgroup"},
    {"threadgroups_per_grid", "at.threadgroups"},
    {"thread_index_in_simdgroup", "at.thread_in_threadgroup % metal_unlock::gpu::lanes_in_group"},
    {"simdgroup_index_in_threadgroup", "at.thread_in_threadgroup / metal_unlock::gpu::lanes_in_group"},
}};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\n";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::string in_quotes(std::string_view text) { return std::string{"'"}.append(text).append("'"); }

using Read = std::variant<KernelFile::Parameter, std::string>;

/// "buffer(3)" or "thread_position_in_grid".
Read with_attribute(KernelFile::Parameter parameter, std::string_view attribute) {
  const bool is_pointer = parameter.type.ends_with('*') || parameter.type.ends_with('&');
  const std::size_t open = attribute.find('(');
  parameter.attribute = attribute.substr(0, open);
  if (parameter.attribute == "buffer" || parameter.attribute == "threadgroup") {
    if (open == std::string_view::npos || attribute.size() < open + 3)
      return "attribute " + in_quotes(attribute) + " has no index";
    parameter.index = static_cast<unsigned>(attribute[open + 1] - '0');
    const bool is_shared = parameter.type.starts_with("threadgroup ");
    const bool is_buffer = parameter.type.starts_with("device ") || parameter.type.starts_with("constant ");
    if (!is_pointer || (parameter.attribute == "buffer" ? !is_buffer : !is_shared))
      return "pointer " + in_quotes(parameter.type) + " has no address space that fits " +
             in_quotes(attribute);
    return parameter;
  }
  const bool is_known = std::any_of(places.begin(), places.end(),
                                    [&](const auto& place) { return place.first == parameter.attribute; });
  if (!is_known) return "attribute " + in_quotes(attribute) + " is unknown";
  if (parameter.type != "uint") return in_quotes(attribute) + " is no " + parameter.type;
  return parameter;
}

/// "device const float* x [[buffer(0)]]"
Read read_parameter(std::string_view text) {
  const std::size_t open = text.find("[[");
  const std::size_t close = text.find("]]");
  if (open == std::string_view::npos || close == std::string_view::npos)
    return "parameter " + in_quotes(trimmed(text)) + " has no attribute";
  const std::string_view declared = trimmed(text.substr(0, open));
  const std::size_t name = declared.find_last_of(" *&");
  if (name == std::string_view::npos) return "parameter " + in_quotes(declared) + " has no name";
  KernelFile::Parameter parameter{.type = std::string{trimmed(declared.substr(0, name + 1))},
                                  .attribute = {}};
  return with_attribute(std::move(parameter), trimmed(text.substr(open + 2, close - open - 2)));
}

std::string argument(const KernelFile::Parameter& parameter) {
  const bool is_reference = parameter.type.ends_with('&');
  std::string type = parameter.type;
  if (is_reference) type.back() = '*';
  if (parameter.attribute == "buffer" || parameter.attribute == "threadgroup")
    return std::string{is_reference ? "*" : ""} + "(" + type + ")" +
           (parameter.attribute == "buffer" ? "buffers[" + std::to_string(parameter.index) + "]" : "shared");
  for (const auto& [name, expression] : places)
    if (name == parameter.attribute) return std::string{expression};
  return {};
}

bool is_written(const KernelFile::Parameter& parameter) {
  return parameter.attribute == "buffer" && parameter.type.starts_with("device ") &&
         parameter.type.find("const") == std::string::npos;
}

}  // namespace

std::string without_attributes(std::string_view source) {
  std::string code;
  while (true) {
    const std::size_t open = source.find("[[");
    code.append(source.substr(0, open));
    if (open == std::string_view::npos) return code;
    source.remove_prefix(std::min(source.size(), source.find("]]", open) + 2));
  }
}

std::variant<KernelFile, std::string> read_kernel(std::string_view source) {
  constexpr std::string_view keyword = "\nkernel void ";
  const std::size_t start = source.find(keyword);
  if (start == std::string_view::npos) return "there is no kernel";
  if (source.find(keyword, start + 1) != std::string_view::npos) return "there is more than one kernel";
  const std::size_t name = start + keyword.size();
  const std::size_t open = source.find('(', name);
  const std::size_t end = source.find(") {", name);
  if (open == std::string_view::npos || end == std::string_view::npos) return "the kernel has no parameters";
  KernelFile file{.function = std::string{source.substr(name, open - name)}, .parameters = {}};
  std::string_view list = source.substr(open + 1, end - open - 1);
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    Read parameter = read_parameter(list.substr(0, comma));
    if (auto* const trouble = std::get_if<std::string>(&parameter)) return std::move(*trouble);
    file.parameters.push_back(std::get<KernelFile::Parameter>(std::move(parameter)));
    list.remove_prefix(std::min(list.size(), comma + 1));
  }
  return file;
}

std::string kernel_cpp(std::string_view source, const KernelFile& file, std::string_view name) {
  std::string arguments;
  unsigned written = 0;
  unsigned buffers = 0;
  for (const auto& parameter : file.parameters) {
    arguments += (arguments.empty() ? "" : ", ") + argument(parameter);
    if (is_written(parameter)) written |= 1U << parameter.index;
    if (parameter.attribute == "buffer") buffers = std::max(buffers, parameter.index + 1);
  }
  const std::string space{name.substr(0, name.find('.'))};
  return "#include \"tests/metal_stdlib/executor.hpp\"\n#include \"tests/metal_stdlib/metal_stdlib\"\n"
         "namespace source_" +
         space + " {\n#line 1 \"" + std::string{name} + "\"\n" + without_attributes(source) +
         "\n#line 1 \"made\"\nvoid run(std::byte* const* buffers, std::byte* shared) {\n"
         "  (void)buffers, (void)shared;\n  const auto& at = metal_unlock::gpu::place();\n  (void)at;\n  " +
         file.function + "(" + arguments +
         ");\n}\n}  // namespace\n"
         "extern const metal_unlock::gpu::Kernel kernel_of_" +
         space +
         ";\n"
         "const metal_unlock::gpu::Kernel kernel_of_" +
         space + "{R\"metal(" + std::string{source} + ")metal\", \"" + file.function + "\", " +
         std::to_string(written) + ", " + std::to_string(buffers) + ", source_" + space + "::run};\n";
}

Result<std::string> kernels_cpp(const std::vector<NamedSource>& sources, std::string_view list_function) {
  std::string text;
  std::string rows;
  for (const auto& [name, source] : sources) {
    const auto read = read_kernel(source);
    if (const auto* const trouble = std::get_if<std::string>(&read))
      return Finding{FindingId::file_unreadable, name + ": " + *trouble, "see docs/verify-kernels.md"};
    text += kernel_cpp(source, std::get<KernelFile>(read), name);
    rows += "  kernel_of_" + name.substr(0, name.find('.')) + ",\n";
  }
  return text + "namespace metal_unlock::gpu {\nstd::span<const Kernel> " + std::string{list_function} +
         "() {\n  static const Kernel all[] = {\n" + rows + "};\n  return all;\n}\n}\n";
}

}  // namespace metal_unlock
