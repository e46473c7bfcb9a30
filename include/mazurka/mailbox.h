/* Mailboxes: messages from any thread to one receiver, as in Erlang. Sending never blocks. Receiving is selective: it
 * takes the oldest message that is wanted, and waits if there is none.
 *
 * A mailbox belongs to the thread that first receives from it; a receive by another one is an error. What a thread did
 * before it sent a message happens before what the receiver does after it has received it.
 *
 * Selecting by tags is what Mazurka knows most about: with --algorithm=observers, the order of two messages counts only
 * if a receive takes one of them and could have taken the other. A receive that calls a function to decide looks at the
 * messages in the order in which they arrived, one after the other, so their order counts. */
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

/* Which messages are wanted: those whose tag, under the mask, is `tag`; of these, if `accepts` is not null, those for
 * which it returns something else than 0. It should depend on nothing but the message and the context. */
typedef struct mazurka_selection {
  unsigned mask;
  unsigned tag;
  int (*accepts)(const mazurka_message* message, void* context);
  void* context;
} mazurka_selection;

/* How long a receive waits, in nanoseconds of virtual time: not at all if 0. */
#define MAZURKA_FOR_EVER (-1LL)

mazurka_mailbox* mazurka_mailbox_create(void);

/* Reports call the mailbox by the name of this variable or member, which holds it. */
void mazurka_mailbox_name_after(mazurka_mailbox* mailbox, const void* holder);

/* Nobody may use it any more. `discard`, if it is not null, is called for each message that is left. */
void mazurka_mailbox_destroy(mazurka_mailbox* mailbox, void (*discard)(const mazurka_message* message));

/* The message is copied. */
void mazurka_mailbox_send(mazurka_mailbox* to, unsigned tag, const void* data, size_t size);

/* Takes the oldest message that is wanted, of all if `wanted` is null. Returns 1, or 0 if there was none in time. */
int mazurka_mailbox_receive(mazurka_mailbox* from, const mazurka_selection* wanted, long long nanoseconds,
                            mazurka_message* message);

#ifdef __cplusplus
}
#endif

#endif
