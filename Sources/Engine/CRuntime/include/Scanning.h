#ifndef SCANNING_H
#define SCANNING_H

#include <stddef.h>
#include <stdint.h>

/// A bit for each byte that is a quote, a backslash or a control character. The first byte has the
/// lowest bit.
typedef struct {
  uint64_t quotes;
  uint64_t backslashes;
  uint64_t controls;
} analysis_marks;

#if defined(__SSE2__)
// These are vectors of the compiler. <emmintrin.h> includes types of the C library.
typedef uint8_t analysis_bytes __attribute__((vector_size(16)));

static inline __attribute__((always_inline)) analysis_bytes analysis_load(const uint8_t *bytes) {
  analysis_bytes loaded;
  __builtin_memcpy(&loaded, bytes, sizeof loaded);
  return loaded;
}

#define ANALYSIS_MASK(condition) \
  ((uint64_t)(uint32_t)__builtin_ia32_pmovmskb128((char __attribute__((vector_size(16))))(condition)))

/// Returns the marks of 64 bytes, all of which must be readable.
static inline __attribute__((always_inline)) analysis_marks analysis_marks_of_64(const uint8_t *bytes) {
  analysis_marks marks = {0, 0, 0};
  for (int part = 0; part < 4; part++) {
    const analysis_bytes word = analysis_load(bytes + 16 * part);
    marks.quotes |= ANALYSIS_MASK(word == '"') << (16 * part);
    marks.backslashes |= ANALYSIS_MASK(word == '\\') << (16 * part);
    marks.controls |= ANALYSIS_MASK(word < ' ') << (16 * part);
  }
  return marks;
}

/// Returns a bit for each of 32 bytes that is a quote, a backslash or a control character. All
/// bytes must be readable.
static inline __attribute__((always_inline)) uint32_t analysis_ends_of_text_32(const uint8_t *bytes) {
  uint32_t ends = 0;
  for (int part = 0; part < 2; part++) {
    const analysis_bytes word = analysis_load(bytes + 16 * part);
    ends |= (uint32_t)ANALYSIS_MASK((word == '"') | (word == '\\') | (word < ' ')) << (16 * part);
  }
  return ends;
}
#else
// The plain loops let compilers generate vector instructions.
static inline __attribute__((always_inline)) analysis_marks analysis_marks_of_64(const uint8_t *bytes) {
  analysis_marks marks = {0, 0, 0};
  for (int index = 0; index < 64; index++) {
    marks.quotes |= (uint64_t)(bytes[index] == '"') << index;
    marks.backslashes |= (uint64_t)(bytes[index] == '\\') << index;
    marks.controls |= (uint64_t)(bytes[index] < 0x20) << index;
  }
  return marks;
}

static inline __attribute__((always_inline)) uint32_t analysis_ends_of_text_32(const uint8_t *bytes) {
  uint32_t ends = 0;
  for (int index = 0; index < 32; index++)
    ends |= (uint32_t)(bytes[index] == '"' || bytes[index] == '\\' || bytes[index] < 0x20) << index;
  return ends;
}
#endif

/// Returns the number of processors that this process can use, as set by `taskset` and containers.
/// Returns 0 if the system doesn't report it.
int analysis_processors(void);

/// Returns freed memory to the system. The allocator would otherwise keep much of it for later.
void analysis_trim_memory(void);

/// Lets the allocator return blocks of 256 KiB or more to the system as soon as they are freed. It
/// would raise this limit to the size of each large block that is freed, up to 32 MiB.
void analysis_keep_no_large_blocks(void);

/// Returns zeroed pages of memory, or NULL if there isn't enough. Pages that were never written
/// don't take memory.
void *analysis_map_pages(size_t size);

/// Returns a larger block with the content of `pages`, which are moved without copying if the
/// system supports that. Returns NULL if there isn't enough memory.
void *analysis_move_pages(void *pages, size_t size, size_t larger);

/// Returns pages to the system.
void analysis_unmap_pages(void *pages, size_t size);

/// Starts loading the cache line at an address.
static inline __attribute__((always_inline)) void analysis_prefetch(const void *address) {
  __builtin_prefetch(address, 1);
}

#endif
