#ifndef OWN_MAPPINGS_H
#define OWN_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

/// The mappings of memory that searches make in their own process. Their contents are copies of
/// other memory, so another search must not read them. All functions are lock-free, so that they
/// also work in signal handlers and in forked children.

/// Notes a mapping. Returns false if there are too many.
bool trace_note_mapping(uintptr_t start, uintptr_t size);

/// Forgets a mapping. It must be called before the memory is unmapped, because the program may get
/// the same address afterward.
void trace_forget_mapping(uintptr_t start);

/// Returns whether an address is in one of the mappings.
bool trace_is_in_own_mapping(uintptr_t address);

#endif
