#include "runtime/hooks/buffers.hpp"

#include "runtime/arch.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

constexpr std::size_t kLargest = 255;  // of a single access

/// Copies bytes in the steps of the accesses to them. Returns the end of the copy.
std::uint8_t* read_into(std::uint8_t* to, const void* address, std::size_t bytes, std::uint64_t site) {
  const auto* from = static_cast<const std::uint8_t*>(address);
  while (bytes > 0) {
    const std::size_t part = bytes < kLargest ? bytes : kLargest;
    use_buffer(false, from, part, site);
    copy_bytes(to, from, part);
    from += part;
    to += part;
    bytes -= part;
  }
  return to;
}

void use_parts(bool write, const iovec* parts, std::size_t bytes, std::uint64_t site) {
  for (; bytes > 0; ++parts) {
    const std::size_t part = bytes < parts->iov_len ? bytes : parts->iov_len;
    use_buffer(write, parts->iov_base, part, site);
    bytes -= part;
  }
}

std::size_t total(const iovec* parts, int count) {
  std::size_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += parts[i].iov_len;
  return bytes;
}

/// The list itself: a copy if accesses are scheduling points.
const iovec* read_list(const iovec* parts, int count, std::uint64_t site) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof *parts;
  if (!is_visible()) {
    use_buffer(false, parts, bytes, site);
    return parts;
  }
  void* const copy = allocate(bytes);
  if (copy == nullptr) unsupported("a list of buffers for which there is no memory", site);
  read_into(static_cast<std::uint8_t*>(copy), parts, bytes, site);
  return static_cast<const iovec*>(copy);
}

}  // namespace

std::uint8_t* Substitute::provide(std::size_t bytes, std::uint64_t site) {
  if (bytes <= sizeof few_) return few_;
  void* const place = allocate(bytes);
  if (place == nullptr) unsupported("a buffer for which there is no memory", site);
  return static_cast<std::uint8_t*>(place);
}

void Input::read(std::size_t bytes, std::uint64_t site) {
  if (image.has_constant(reinterpret_cast<std::uint64_t>(address_))) return;
  if (!is_visible()) return use_buffer(false, address_, bytes, site);
  std::uint8_t* const place = provide(bytes, site);
  read_into(place, address_, bytes, site);
  address_ = place;
}

void Input::read_text(const char* text, std::uint64_t site) {
  if (image.has_constant(reinterpret_cast<std::uint64_t>(text))) return;
  if (!is_visible()) return use_buffer(false, text, length_of(text) + 1, site);
  // Like the C library: first the length, then the text.
  std::size_t bytes = 1;
  for (const char* c = text; visible_load(c, site) != 0; ++c) ++bytes;
  read(bytes, site);
  // Another thread may have overwritten the end meanwhile.
  static_cast<char*>(const_cast<void*>(address_))[bytes - 1] = 0;
}

void Output::write(std::size_t bytes) {
  use_buffer(true, target_, bytes, site_);
  if (place_ != target_) copy_bytes(target_, place_, bytes);
}

void GatheredInput::read(std::uint64_t site) {
  const iovec* const list = read_list(parts_, count_, site);
  const std::size_t bytes = total(list, count_);
  if (!is_visible()) return use_parts(false, list, bytes, site);
  whole_ = {provide(bytes, site), bytes};
  auto* to = static_cast<std::uint8_t*>(whole_.iov_base);
  for (int i = 0; i < count_; ++i) to = read_into(to, list[i].iov_base, list[i].iov_len, site);
  parts_ = &whole_;
  count_ = 1;
}

void ScatteredOutput::read_parts(std::uint64_t site) {
  targets_ = read_list(targets_, target_count_, site);
  if (!is_visible()) return;
  const std::size_t bytes = total(targets_, target_count_);
  whole_ = {provide(bytes, site), bytes};
  parts_ = &whole_;
  count_ = 1;
}

void ScatteredOutput::write(std::size_t bytes) {
  if (parts_ != &whole_) return use_parts(true, targets_, bytes, site_);
  const auto* from = static_cast<const std::uint8_t*>(whole_.iov_base);
  for (const iovec* target = targets_; bytes > 0; ++target) {
    const std::size_t part = bytes < target->iov_len ? bytes : target->iov_len;
    use_buffer(true, target->iov_base, part, site_);
    copy_bytes(target->iov_base, from, part);
    from += part;
    bytes -= part;
  }
}

}  // namespace mazurka::runtime
