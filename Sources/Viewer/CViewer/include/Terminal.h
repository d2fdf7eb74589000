#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The parts of a terminal session that Swift can't express: signal handlers, which can only call
/// very few functions.

/// Saves the current settings of a descriptor's terminal, and the bytes that undo the output to it.
/// Returns false with errno if the descriptor isn't a terminal or there are too many bytes.
bool terminal_remember(int input, int output, const uint8_t *undoing, size_t count);

/// Switches the terminal to raw mode: keys are read as bytes, don't send signals, and aren't
/// echoed. From here on, every exit from the process restores the terminal.
bool terminal_take_over(void);

/// Restores the saved state of the terminal. This function can be called anywhere and any number of
/// times. It only has an effect after terminal_take_over.
void terminal_restore(void);

/// Catches the signals that end, stop, continue and resize, and the signals of crashes. Returns a
/// descriptor from which their numbers can be read, one byte each. Returns -1 with errno if this
/// fails or the signals are already caught.
int terminal_watch_signals(void);

/// Returns all signals to their previous handlers.
void terminal_unwatch_signals(void);

/// Sets whether another program has the terminal. If it does, the keys that interrupt are meant for
/// that program, and the key that stops is meant for both programs.
void terminal_lend(bool lends);

/// Returns the signal that was received to end the process, or 0.
int terminal_deadly_signal(void);

/// Ends the process like the caught signal would have done.
_Noreturn void terminal_die_by(int signal);

/// Stops the whole process group, like the stop key if the terminal still turned it into a signal.
/// Returns when the process group continues, or immediately if nothing could continue it.
void terminal_stop_group(void);

#endif
