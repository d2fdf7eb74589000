#ifndef PAGES_WITH_CONTENT_H
#define PAGES_WITH_CONTENT_H

#include <stdint.h>

/// A part of memory: the kernel's `struct page_region`.
typedef struct {
  uint64_t start;
  uint64_t end;
  uint64_t categories;
} trace_pages;

/// Finds the parts of a range whose pages are in memory or were moved to other storage, with the
/// request `PAGEMAP_SCAN` of Linux 6.7. It skips what was never touched without looking at each
/// page.
///
/// `file` is an open `/proc/PID/pagemap`. The function stores at most `capacity` parts, and the end
/// of what it has looked at in `end_of_scan`. It returns the number of parts, or -1 if the system
/// doesn't have the request.
long trace_find_pages(
  int file, uint64_t start, uint64_t end, trace_pages *parts, long capacity, uint64_t *end_of_scan);

#endif
