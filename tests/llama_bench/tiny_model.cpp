// SPDX-License-Identifier: MIT
#include "tests/llama_bench/tiny_model.hpp"

#include <cstdint>
#include <cstring>
#include <random>
#include <string_view>
#include <vector>

namespace metal_unlock {
namespace {

constexpr std::uint32_t width = 64;
constexpr std::uint32_t inner_width = 128;
constexpr std::uint32_t layers = 2;
constexpr std::uint32_t words = 64;
constexpr std::uint32_t heads = 4;
constexpr std::size_t alignment = 32;

/// Numbers as GGUF has them, on a machine that has them so as well.
class Writer {
 public:
  template <class Number>
  Writer& add(Number number) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    bytes_.append(bytes, sizeof number);
    return *this;
  }
  Writer& add(std::string_view text) {
    add(std::uint64_t{text.size()});
    bytes_ += text;
    return *this;
  }
  Writer& pad() {
    bytes_.append((alignment - bytes_.size() % alignment) % alignment, '\0');
    return *this;
  }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

struct Tensor {
  std::string name;
  std::vector<std::uint64_t> shape;

  std::uint64_t count() const {
    std::uint64_t product = 1;
    for (const std::uint64_t length : shape) product *= length;
    return product;
  }
};

std::vector<Tensor> tensors() {
  std::vector<Tensor> all{{"token_embd.weight", {width, words}},
                          {"output_norm.weight", {width}},
                          {"output.weight", {width, words}}};
  for (std::uint32_t layer = 0; layer < layers; ++layer) {
    const std::string prefix = "blk." + std::to_string(layer) + ".";
    for (const char* name : {"attn_norm", "ffn_norm"}) all.push_back({prefix + name + ".weight", {width}});
    for (const char* name : {"attn_q", "attn_k", "attn_v", "attn_output"})
      all.push_back({prefix + name + ".weight", {width, width}});
    for (const char* name : {"ffn_gate", "ffn_up"})
      all.push_back({prefix + name + ".weight", {width, inner_width}});
    all.push_back({prefix + "ffn_down.weight", {inner_width, width}});
  }
  return all;
}

void add_text(Writer& writer, std::string_view key, std::string_view text) {
  constexpr std::uint32_t kind_text = 8;
  writer.add(key).add(kind_text).add(text);
}

void add_number(Writer& writer, std::string_view key, std::uint32_t number) {
  constexpr std::uint32_t kind_uint32 = 4;
  writer.add(key).add(kind_uint32).add(number);
}

void add_facts(Writer& writer) {
  constexpr std::uint32_t kind_float32 = 6;
  add_text(writer, "general.architecture", "llama");
  add_text(writer, "tokenizer.ggml.model", "no_vocab");
  add_number(writer, "llama.context_length", 2048);
  add_number(writer, "llama.embedding_length", width);
  add_number(writer, "llama.block_count", layers);
  add_number(writer, "llama.feed_forward_length", inner_width);
  add_number(writer, "llama.attention.head_count", heads);
  add_number(writer, "llama.rope.dimension_count", width / heads);
  add_number(writer, "llama.vocab_size", words);
  writer.add(std::string_view{"llama.attention.layer_norm_rms_epsilon"}).add(kind_float32).add(1e-5F);
}

}  // namespace

std::string tiny_model() {
  constexpr std::uint32_t version = 3;
  constexpr std::uint64_t facts = 10;
  constexpr std::uint32_t kind_float32 = 0;
  const std::vector<Tensor> all = tensors();
  Writer writer;
  writer.bytes() = "GGUF";
  writer.add(version).add(std::uint64_t{all.size()}).add(facts);
  add_facts(writer);
  std::uint64_t offset = 0;
  for (const Tensor& tensor : all) {
    writer.add(std::string_view{tensor.name}).add(static_cast<std::uint32_t>(tensor.shape.size()));
    for (const std::uint64_t length : tensor.shape) writer.add(length);
    writer.add(kind_float32).add(offset);
    offset += (tensor.count() * sizeof(float) + alignment - 1) / alignment * alignment;
  }
  writer.pad();
  std::mt19937 generator{1};
  for (const Tensor& tensor : all) {
    for (std::uint64_t i = 0; i < tensor.count(); ++i)
      writer.add((static_cast<float>(generator() % 2001) - 1000.0F) / 40000.0F);
    writer.pad();
  }
  return std::move(writer.bytes());
}

}  // namespace metal_unlock
