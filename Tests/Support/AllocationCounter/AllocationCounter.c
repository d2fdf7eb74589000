#include "AllocationCounter.h"

#include <stddef.h>
#include <stdlib.h>

#if defined(__has_feature)
  #if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
    #define IS_SANITIZED 1
  #endif
#endif

#if defined(__GLIBC__) && !defined(IS_SANITIZED)

// The test bundle is an executable, so its own definitions come before those of the C library, for all libraries.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static _Thread_local long count;

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
  count++;
  return __libc_calloc(items, size);
}

void *realloc(void *memory, size_t size) {
  count++;
  return __libc_realloc(memory, size);
}

long allocations_of_this_thread(void) { return count; }

#else

long allocations_of_this_thread(void) { return -1; }

#endif
