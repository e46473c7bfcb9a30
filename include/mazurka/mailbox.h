/* Mailboxes: messages from any thread to one receiver, as in Erlang. Sending never blocks. Receiving is selective: it
 * takes the oldest matching message, and blocks if there is none.
 *
 * A mailbox belongs to the thread that first receives from it; a receive by another thread is an error. Sending a
 * message happens before receiving it, so everything before the send happens before everything after the receive.
 *
 * Selection by tags gives the best reduction: with --algorithm=observers, the order of two messages matters only if a
 * receive takes one of them and could have taken the other. A receive that selects by a function examines the messages
 * in the order of their arrival, so their order always matters. */
#ifndef MAZURKA_MAILBOX_H
#define MAZURKA_MAILBOX_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mazurka_mailbox mazurka_mailbox;

typedef struct mazurka_message {
  unsigned tag;
  size_t size;
  const void* data; /* valid until the next receive from the mailbox */
} mazurka_message;

/* A message matches if (its tag & mask) == tag and, if `accepts` is not null, `accepts` returns nonzero for it.
 * `accepts` must depend on the message and the context only. */
typedef struct mazurka_selection {
  unsigned mask;
  unsigned tag;
  int (*accepts)(const mazurka_message* message, void* context);
  void* context;
} mazurka_selection;

/* The time-out of a receive is in nanoseconds of virtual time; 0: do not wait. */
#define MAZURKA_FOR_EVER (-1LL)

mazurka_mailbox* mazurka_mailbox_create(void);

/* Reports name the mailbox after the variable or member at `holder`. */
void mazurka_mailbox_name_after(mazurka_mailbox* mailbox, const void* holder);

/* Destroys the mailbox; nobody may use it any more. Calls `discard`, if not null, for each remaining message. */
void mazurka_mailbox_destroy(mazurka_mailbox* mailbox, void (*discard)(const mazurka_message* message));

/* Sends a copy of the data. */
void mazurka_mailbox_send(mazurka_mailbox* to, unsigned tag, const void* data, size_t size);

/* Takes the oldest matching message; all match if `wanted` is null. Returns 1, or 0 if there was none in time. */
int mazurka_mailbox_receive(mazurka_mailbox* from, const mazurka_selection* wanted, long long nanoseconds,
                            mazurka_message* message);

#ifdef __cplusplus
}
#endif

#endif
