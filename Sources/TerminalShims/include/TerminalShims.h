#ifndef TERMINAL_SHIMS_H
#define TERMINAL_SHIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What a session of a terminal needs and Swift cannot say: handlers of signals, which may call next to nothing.

/// Remembers how the terminal behind a descriptor is set now, and the bytes that undo what will be written to it.
/// False where it is no terminal or too much is to be undone; errno says why.
bool terminal_remember(int input, int output, const uint8_t *undoing, size_t count);

/// Sets the terminal so that every key is a byte, none of them sends a signal, and nothing is echoed. From here on every
/// way out of the process restores it.
bool terminal_take_over(void);

/// Makes the terminal what it was remembered to be. May be called from everywhere and any number of times; it does
/// something only after terminal_take_over.
void terminal_restore(void);

/// Catches the signals that end, stop, continue and resize, and those of crashes. Their numbers can be read, a byte each,
/// from the descriptor that is returned; -1 where that fails or was done already, and errno says why.
int terminal_watch_signals(void);

/// Gives all signals back to whoever had them.
void terminal_unwatch_signals(void);

/// Says whether another program has the terminal: the keys that interrupt are for that one, and the one that stops is for
/// both.
void terminal_lend(bool lends);

/// A signal that came to end the process, or 0.
int terminal_deadly_signal(void);

/// Ends the process as the signal would have done that was caught.
_Noreturn void terminal_die_by(int signal);

/// Stops the whole process group, as the key would have done that is no longer one; returns when it goes on. It returns
/// at once where nobody is there to make it go on.
void terminal_stop_group(void);

#endif
