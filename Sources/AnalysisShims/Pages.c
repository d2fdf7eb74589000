#define _GNU_SOURCE
#include "AnalysisShims.h"

#include <string.h>
#include <sys/mman.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED
#endif
#endif

void *analysis_map_pages(size_t size) {
  void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
  return pages == MAP_FAILED ? NULL : pages;
}

void analysis_unmap_pages(void *pages, size_t size) { munmap(pages, size); }

#if defined(__linux__) && !defined(IS_SANITIZED)
void *analysis_move_pages(void *pages, size_t size, size_t larger) {
  void *moved = mremap(pages, size, larger, MREMAP_MAYMOVE);
  return moved == MAP_FAILED ? NULL : moved;
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
