// Typed mailboxes on top of mailbox.h. If the type is a std::variant, a receive can select by alternative:
//
//   mazurka::Mailbox<std::variant<Acquire, Release>> mailbox;
//   mailbox.send(Acquire{me});
//   const Acquire request = mailbox.receive<Acquire>();
#pragma once

#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include <mazurka/mailbox.h>

namespace mazurka {

namespace detail {

template <class T>
struct MessageTag {
  static unsigned of(const T&) { return 0; }
};
template <class... Alternatives>
struct MessageTag<std::variant<Alternatives...>> {
  static unsigned of(const std::variant<Alternatives...>& value) { return static_cast<unsigned>(value.index()); }
  /// The tag of values that hold this alternative. \pre The alternative occurs once.
  template <class A>
  static constexpr unsigned of_alternative() {
    constexpr bool kIs[] = {std::is_same_v<A, Alternatives>...};
    static_assert((static_cast<int>(std::is_same_v<A, Alternatives>) + ...) == 1, "one of the alternatives");
    unsigned index = 0;
    while (!kIs[index]) ++index;
    return index;
  }
};

}  // namespace detail

template <class T>
class Mailbox {
 public:
  Mailbox() : mailbox_(mazurka_mailbox_create()) { mazurka_mailbox_name_after(mailbox_, this); }
  ~Mailbox() {
    mazurka_mailbox_destroy(mailbox_, [](const mazurka_message* message) { delete pointer_in(*message); });
  }
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  void send(T value) {
    const unsigned tag = detail::MessageTag<T>::of(value);
    T* const owned = new T(std::move(value));
    mazurka_mailbox_send(mailbox_, tag, &owned, sizeof owned);
  }

  /// Takes the oldest message; blocks until there is one.
  T receive() { return *take(nullptr, MAZURKA_FOR_EVER); }
  /// Takes the oldest message that holds this alternative of the variant.
  template <class Alternative>
  Alternative receive() {
    const mazurka_selection wanted = holding<Alternative>();
    return std::get<Alternative>(*take(&wanted, MAZURKA_FOR_EVER));
  }
  /// Takes the oldest message for which `accepts(const T&)` is true.
  template <class Predicate>
  T receive_if(Predicate accepts) {
    const mazurka_selection wanted = accepted_by(accepts);
    return *take(&wanted, MAZURKA_FOR_EVER);
  }

  // The same without blocking (try_), or with a time-out (_for); none if there is no such message in time.

  std::optional<T> try_receive() { return take(nullptr, 0); }
  template <class Alternative>
  std::optional<Alternative> try_receive() {
    return receive_for<Alternative>(std::chrono::nanoseconds(0));
  }
  template <class Predicate>
  std::optional<T> try_receive_if(Predicate accepts) {
    return receive_for_if(std::chrono::nanoseconds(0), accepts);
  }
  std::optional<T> receive_for(std::chrono::nanoseconds time) { return take(nullptr, limit(time)); }
  template <class Alternative>
  std::optional<Alternative> receive_for(std::chrono::nanoseconds time) {
    const mazurka_selection wanted = holding<Alternative>();
    std::optional<T> found = take(&wanted, limit(time));
    if (!found) return std::nullopt;
    return std::get<Alternative>(*std::move(found));
  }
  template <class Predicate>
  std::optional<T> receive_for_if(std::chrono::nanoseconds time, Predicate accepts) {
    const mazurka_selection wanted = accepted_by(accepts);
    return take(&wanted, limit(time));
  }

 private:
  static T* pointer_in(const mazurka_message& message) {
    T* owned = nullptr;
    std::memcpy(&owned, message.data, sizeof owned);
    return owned;
  }
  static long long limit(std::chrono::nanoseconds time) { return time.count() < 0 ? 0 : time.count(); }
  template <class Alternative>
  static mazurka_selection holding() {
    return {~0U, detail::MessageTag<T>::template of_alternative<Alternative>(), nullptr, nullptr};
  }
  template <class Predicate>
  static mazurka_selection accepted_by(Predicate& accepts) {
    return {0, 0,
            [](const mazurka_message* message, void* context) {
              return (*static_cast<Predicate*>(context))(std::as_const(*pointer_in(*message))) ? 1 : 0;
            },
            const_cast<std::remove_const_t<Predicate>*>(&accepts)};
  }
  std::optional<T> take(const mazurka_selection* wanted, long long nanoseconds) {
    mazurka_message message;
    if (mazurka_mailbox_receive(mailbox_, wanted, nanoseconds, &message) == 0) return std::nullopt;
    const std::unique_ptr<T> owned(pointer_in(message));
    return std::move(*owned);
  }

  mazurka_mailbox* mailbox_;
};

}  // namespace mazurka
