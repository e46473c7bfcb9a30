// Exceptions as messages: what a rank throws is rethrown at rank 0, which reports it.
#pragma once

#include <cstdint>
#include <exception>
#include <new>
#include <string>

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/invariant.hpp"

namespace mazurka::dpor {

enum class Thrown : std::uint8_t { Other, Input, Unsupported, Memory, Invariant };

inline void write_failure(ByteWriter& to, const std::exception_ptr& failure) {
  const auto put = [&](Thrown kind, const char* what) {
    to.choice(kind);
    to.text(what);
  };
  try {
    std::rethrow_exception(failure);
  } catch (const InputError& error) {
    put(Thrown::Input, error.what());
  } catch (const UnsupportedError& error) {
    put(Thrown::Unsupported, error.what());
  } catch (const InvariantViolation& error) {
    put(Thrown::Invariant, error.what());
  } catch (const std::bad_alloc& error) {
    put(Thrown::Memory, error.what());
  } catch (const std::exception& error) {
    put(Thrown::Other, error.what());
  }
}

inline std::exception_ptr read_failure(ByteReader& from, std::uint32_t rank) {
  const Thrown kind = from.choice(Thrown::Invariant);
  const std::string what = "rank " + std::to_string(rank) + ": " + from.text();
  switch (kind) {
    case Thrown::Input: return std::make_exception_ptr(InputError(what));
    case Thrown::Unsupported: return std::make_exception_ptr(UnsupportedError(what));
    case Thrown::Memory: return std::make_exception_ptr(std::bad_alloc());
    case Thrown::Invariant: return std::make_exception_ptr(InvariantViolation(what));
    case Thrown::Other: break;
  }
  return std::make_exception_ptr(std::runtime_error(what));
}

}  // namespace mazurka::dpor
