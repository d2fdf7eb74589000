#include "PagesWithContent.h"

#if defined(__linux__)

#include <sys/ioctl.h>

// From the documentation of the kernel (Documentation/admin-guide/mm/pagemap.rst). The headers of
// older systems don't have them.
struct scan {
  uint64_t size;
  uint64_t flags;
  uint64_t start;
  uint64_t end;
  uint64_t walk_end;
  uint64_t parts;
  uint64_t capacity;
  uint64_t max_pages;
  uint64_t inverted;
  uint64_t all_of;
  uint64_t any_of;
  uint64_t returned;
};

enum { is_present = 1 << 3, is_swapped = 1 << 4 };

long trace_find_pages(
  int file, uint64_t start, uint64_t end, trace_pages *parts, long capacity,
  uint64_t *end_of_scan) {
  struct scan scan = {
    .size = sizeof scan,
    .start = start,
    .end = end,
    .parts = (uint64_t)(uintptr_t)parts,
    .capacity = (uint64_t)capacity,
    .any_of = is_present | is_swapped,
  };
  long count = ioctl(file, _IOWR('f', 16, struct scan), &scan);
  *end_of_scan = scan.walk_end;
  return count;
}

#else

long trace_find_pages(
  int file, uint64_t start, uint64_t end, trace_pages *parts, long capacity,
  uint64_t *end_of_scan) {
  return -1;
}

#endif
