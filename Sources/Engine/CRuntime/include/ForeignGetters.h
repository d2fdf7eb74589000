#ifndef TRACE_FOREIGN_GETTERS_H
#define TRACE_FOREIGN_GETTERS_H

#include <stdint.h>

/// Calls of Swift getters that are found by their symbols at run time, because their module isn't
/// linked by every program. The caller must know the calling convention of the getter.

/// Calls a static getter whose result is returned in memory, such as `static var current: Test?`.
void trace_get_static(uintptr_t getter, void *result);

/// Calls a getter of a value in memory whose result is returned in memory too.
void trace_get_value(uintptr_t getter, const void *value, void *result);

/// Two words that a getter returns in registers, such as a string.
struct trace_words {
  uintptr_t first, second;
};

/// Calls a getter of a value in memory, or of the object at an address, whose result has at most
/// two words.
struct trace_words trace_get_words(uintptr_t getter, const void *value);

#endif
