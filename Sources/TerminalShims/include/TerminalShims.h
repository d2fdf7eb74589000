#ifndef TERMINAL_SHIMS_H
#define TERMINAL_SHIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The parts of a terminal session that Swift cannot express: signal handlers, which may call
/// almost no functions.

/// Remembers the current settings of the terminal behind a descriptor, and the bytes that undo what
/// will be written to it. Returns false if the descriptor is not a terminal or there are too many
/// bytes; errno has the reason.
bool terminal_remember(int input, int output, const uint8_t *undoing, size_t count);

/// Sets the terminal so that every key is a byte, no key sends a signal, and nothing is echoed.
/// From here on, every way out of the process restores the terminal.
bool terminal_take_over(void);

/// Restores the remembered state of the terminal. This function may be called from anywhere and any
/// number of times. It has an effect only after terminal_take_over.
void terminal_restore(void);

/// Catches the signals that end, stop, continue and resize, and the signals of crashes. Returns a
/// descriptor from which their numbers can be read, one byte each. Returns -1 if this fails or the
/// signals are already caught; errno has the reason.
int terminal_watch_signals(void);

/// Returns all signals to their previous handlers.
void terminal_unwatch_signals(void);

/// Sets whether another program has the terminal. In that case, the keys that interrupt are meant
/// for that program, and the key that stops is meant for both programs.
void terminal_lend(bool lends);

/// Returns the signal that was received to end the process, or 0.
int terminal_deadly_signal(void);

/// Ends the process in the way that the caught signal would have done.
_Noreturn void terminal_die_by(int signal);

/// Stops the whole process group, as the key would do if the terminal still turned it into a
/// signal. Returns when the process group continues, or immediately if nothing could continue it.
void terminal_stop_group(void);

#endif
