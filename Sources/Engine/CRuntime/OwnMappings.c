#include "OwnMappings.h"

#include <stdatomic.h>

enum { max_mappings = 256 };

// The start is 0 in a free place, and `taken` while the place is filled or emptied.
static struct {
  _Atomic(uintptr_t) start;
  _Atomic(uintptr_t) size;
} mappings[max_mappings];

static const uintptr_t taken = 1;

bool trace_note_mapping(uintptr_t start, uintptr_t size) {
  for (int index = 0; index < max_mappings; index++) {
    uintptr_t expected = 0;
    if (atomic_compare_exchange_strong(&mappings[index].start, &expected, taken)) {
      atomic_store(&mappings[index].size, size);
      atomic_store(&mappings[index].start, start);
      return true;
    }
  }
  return false;
}

void trace_forget_mapping(uintptr_t start) {
  for (int index = 0; index < max_mappings; index++) {
    uintptr_t expected = start;
    if (atomic_compare_exchange_strong(&mappings[index].start, &expected, 0)) return;
  }
}

bool trace_is_in_own_mapping(uintptr_t address) {
  for (int index = 0; index < max_mappings; index++) {
    const uintptr_t start = atomic_load(&mappings[index].start);
    const uintptr_t size = atomic_load(&mappings[index].size);
    // If the place got another mapping in between, the two values don't belong together.
    if (start > taken && address >= start && address - start < size
        && atomic_load(&mappings[index].start) == start) {
      return true;
    }
  }
  return false;
}
