#pragma once

#include <stdbool.h>

/// Makes blocking system calls, each on a thread of its own, and prints a line with the result of
/// each: its name, what it returned, and the name of its error.
///
/// Prints "started" when all threads wait in their calls. Lets the calls finish when a line arrives
/// at the standard input, or when it ends. Before "started", the threads get signals that the
/// process ignores, and a child of the process ends. No call should notice that.
///
/// - Parameter name: The name of the only call to make, or NULL for all of them.
///
/// Returns false if there is no such call, or if one couldn't be prepared.
bool blocking_calls_make(const char *name);

/// Writes to a pipe, which another thread drains, until the standard input ends. So the writer is in
/// its call most of the time, but hardly ever waits.
///
/// Returns how many calls have written only a part, or -1 if there is no pipe.
long blocking_calls_write_drained(void);
