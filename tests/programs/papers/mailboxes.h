/* Mailboxes without ceremony. */
#ifndef MAZURKA_TESTS_PAPERS_MAILBOXES_H
#define MAZURKA_TESTS_PAPERS_MAILBOXES_H
#include <mazurka/mailbox.h>

static inline void send_to(mazurka_mailbox* to, unsigned tag, int value) {
  mazurka_mailbox_send(to, tag, &value, sizeof value);
}

/* The value of the oldest message. */
static inline int receive_any(mazurka_mailbox* from) {
  mazurka_message message;
  mazurka_mailbox_receive(from, 0, MAZURKA_FOR_EVER, &message);
  return *(const int*)message.data;
}

/* The value of the oldest message with this tag. */
static inline int receive_tag(mazurka_mailbox* from, unsigned tag) {
  const mazurka_selection wanted = {~0U, tag, 0, 0};
  mazurka_message message;
  mazurka_mailbox_receive(from, &wanted, MAZURKA_FOR_EVER, &message);
  return *(const int*)message.data;
}
#endif
