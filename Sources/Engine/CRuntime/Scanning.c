#define _GNU_SOURCE
#include "Scanning.h"

#if defined(__linux__)
#include <sched.h>

int analysis_processors(void) {
  // Each processor has one bit. The kernel rejects a set that is too short.
  enum { words = 128 };
  unsigned long set[words];
  int count = 0;
  if (sched_getaffinity(0, sizeof set, (cpu_set_t *)set) != 0) return 0;
  // The C library fills the part that the kernel doesn't write with zeros.
  for (int word = 0; word < words; word++) count += __builtin_popcountl(set[word]);
  return count;
}
#else
int analysis_processors(void) { return 0; }
#endif

// A sanitizer's allocator replaces the C library's allocator, which is then not even initialized.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_OTHER_ALLOCATOR
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_OTHER_ALLOCATOR)
#include <malloc.h>
void analysis_trim_memory(void) { malloc_trim(0); }
void analysis_keep_no_large_blocks(void) { mallopt(M_MMAP_THRESHOLD, 256 * 1024); }
#else
void analysis_trim_memory(void) {}
void analysis_keep_no_large_blocks(void) {}
#endif
