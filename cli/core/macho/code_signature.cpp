// SPDX-License-Identifier: MIT
#include "cli/core/macho/code_signature.hpp"

#include "cli/core/macho/byte_piece.hpp"
#include "cli/core/macho/code_directory.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

constexpr std::uint32_t super_blob_magic = 0xfade0cc0;
constexpr std::uint32_t xml_entitlements_magic = 0xfade7171;
constexpr std::uint32_t der_entitlements_magic = 0xfade7172;
constexpr std::uint64_t super_blob_size = 12;
constexpr std::uint64_t index_entry_size = 8;
constexpr std::uint64_t blob_header_size = 8;
constexpr std::uint32_t most_blobs = 64;
constexpr std::uint32_t largest_entitlements = 1 << 20;

constexpr std::uint32_t directory_slot = 0;
constexpr std::uint32_t first_other_directory_slot = 0x1000;
constexpr std::uint32_t last_other_directory_slot = 0x1004;
constexpr std::uint32_t xml_entitlements_slot = 5;
constexpr std::uint32_t der_entitlements_slot = 7;
constexpr std::uint32_t certificates_slot = 0x10000;

using Fault = std::optional<ByteFault>;

bool is_directory_slot(std::uint32_t slot) {
  return slot == directory_slot || (slot >= first_other_directory_slot && slot <= last_other_directory_slot);
}

/// The blob at `offset` of the file, which must end within `limit` bytes from there.
Result<SignatureBlob, ByteFault> read_blob(const ByteSource& file, std::uint32_t slot, std::uint64_t offset,
                                           std::uint64_t limit) {
  if (limit < blob_header_size)
    return ByteFault{ByteFaultKind::out_of_range, offset,
                     formatted("a part of the signature has no header in {} bytes", limit)};
  const auto header = read_piece(file, offset, blob_header_size, "a part of the signature");
  if (!header) return header.fault();
  const SignatureBlob blob{slot, header->big32(0), offset, header->big32(4)};
  if (blob.length < blob_header_size || blob.length > limit)
    return ByteFault{ByteFaultKind::out_of_range, offset + 4,
                     formatted("a part of the signature has {} bytes where {} are left", blob.length, limit)};
  return blob;
}

Fault read_index(const ByteSource& file, const SignatureBlob& super_blob, CodeSignature& signature) {
  if (super_blob.length < super_blob_size)
    return ByteFault{ByteFaultKind::out_of_range, super_blob.offset, "the signature has no index"};
  const auto head = read_piece(file, super_blob.offset, super_blob_size, "the signature");
  if (!head) return head.fault();
  const std::uint32_t count = head->big32(8);
  if (count > most_blobs)
    return ByteFault{ByteFaultKind::too_large, super_blob.offset + 8,
                     formatted("{} parts of a signature", count)};
  if (!is_within(super_blob_size, count * index_entry_size, super_blob.length))
    return ByteFault{ByteFaultKind::out_of_range, super_blob.offset + 8,
                     formatted("an index of {} parts in a signature of {} bytes", count, super_blob.length)};
  const auto index = read_piece(file, super_blob.offset + super_blob_size, count * index_entry_size,
                                "the signature's index");
  if (!index) return index.fault();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t slot = index->big32(i * index_entry_size);
    const std::uint32_t offset = index->big32(i * index_entry_size + 4);
    if (!is_within(offset, blob_header_size, super_blob.length))
      return ByteFault{ByteFaultKind::out_of_range, index->offset() + i * index_entry_size + 4,
                       formatted("a part at {} of a signature of {} bytes", offset, super_blob.length)};
    const auto blob = read_blob(file, slot, super_blob.offset + offset, super_blob.length - offset);
    if (!blob) return blob.fault();
    signature.blobs.push_back(*blob);
  }
  return std::nullopt;
}

/// The strongest hash decides, and there may be only one directory for each.
Fault choose_directory(std::vector<CodeDirectory> directories, std::uint64_t offset,
                       CodeSignature& signature) {
  if (directories.empty())
    return ByteFault{ByteFaultKind::malformed, offset, "the signature has no CodeDirectory"};
  std::ranges::stable_sort(directories, std::ranges::greater{}, &CodeDirectory::hash);
  const auto twin = std::ranges::adjacent_find(directories, {}, &CodeDirectory::hash);
  if (twin != directories.end())
    return ByteFault{ByteFaultKind::malformed, twin->offset, "two CodeDirectories with one kind of hash"};
  signature.directory = std::move(directories.front());
  directories.erase(directories.begin());
  signature.other_directories = std::move(directories);
  return std::nullopt;
}

Fault read_directories(const ByteSource& file, std::uint64_t offset, CodeSignature& signature) {
  std::vector<CodeDirectory> directories;
  for (const SignatureBlob& blob : signature.blobs) {
    if (!is_directory_slot(blob.slot)) continue;
    auto directory = read_code_directory(file, blob);
    if (!directory) return directory.fault();
    directories.push_back(*std::move(directory));
  }
  return choose_directory(std::move(directories), offset, signature);
}

const SignatureBlob* blob_in(const CodeSignature& signature, std::uint32_t slot) {
  const auto found = std::ranges::find(signature.blobs, slot, &SignatureBlob::slot);
  return found == signature.blobs.end() ? nullptr : &*found;
}

Result<Entitlements, ByteFault> parse_entitlements(const ByteSource& file, const SignatureBlob& blob,
                                                   bool is_der) {
  if (blob.magic != (is_der ? der_entitlements_magic : xml_entitlements_magic))
    return ByteFault{ByteFaultKind::malformed, blob.offset,
                     formatted("entitlements that begin with {:#010x}", blob.magic)};
  if (blob.length > largest_entitlements)
    return ByteFault{ByteFaultKind::too_large, blob.offset + 4,
                     formatted("entitlements of {} bytes", blob.length)};
  const std::uint64_t payload = blob.offset + blob_header_size;
  const auto piece = read_piece(file, payload, blob.length - blob_header_size, "the entitlements");
  if (!piece) return piece.fault();
  const std::string_view text = piece->text(0, piece->size());
  return is_der ? parse_der_entitlements(text, payload) : parse_xml_entitlements(text, payload);
}

/// The kernels of today go by the DER form and ignore the other; what has only the older form is read from
/// there.
void read_entitlements(const ByteSource& file, CodeSignature& signature) {
  const SignatureBlob* der = blob_in(signature, der_entitlements_slot);
  const SignatureBlob* blob = der != nullptr ? der : blob_in(signature, xml_entitlements_slot);
  if (blob == nullptr) return;
  auto entitlements = parse_entitlements(file, *blob, der != nullptr);
  if (entitlements)
    signature.entitlements = *std::move(entitlements);
  else
    signature.entitlements_fault = entitlements.fault();
}

}  // namespace

Result<CodeSignature, ByteFault> read_code_signature(const ByteSource& file, std::uint64_t offset,
                                                     std::uint64_t size) {
  const auto whole = read_blob(file, directory_slot, offset, size);
  if (!whole) return whole.fault();
  CodeSignature signature;
  if (whole->magic == code_directory_magic) {
    signature.blobs = {*whole};
  } else if (whole->magic != super_blob_magic) {
    return ByteFault{ByteFaultKind::malformed, offset,
                     formatted("a signature that begins with {:#010x}", whole->magic)};
  } else if (auto fault = read_index(file, *whole, signature)) {
    return *std::move(fault);
  }
  if (auto fault = read_directories(file, offset, signature)) return *std::move(fault);
  const SignatureBlob* certificates = blob_in(signature, certificates_slot);
  signature.has_certificates = certificates != nullptr && certificates->length > blob_header_size;
  read_entitlements(file, signature);
  return signature;
}

}  // namespace metal_unlock
