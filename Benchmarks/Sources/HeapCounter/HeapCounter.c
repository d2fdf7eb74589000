#include "HeapCounter.h"

#include <malloc.h>
#include <stddef.h>

#if defined(__GLIBC__)

// Definitions of an executable come before those of the C library, for all libraries.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void __libc_free(void *memory);

static _Thread_local int is_counting;
static _Thread_local long allocations;
static _Thread_local long bytes;
static _Thread_local long frees;

static void *counted(void *memory) {
  if (is_counting && memory) {
    allocations++;
    bytes += (long)malloc_usable_size(memory);
  }
  return memory;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }

void *realloc(void *memory, size_t size) {
  if (is_counting && memory) {
    frees++;
    bytes -= (long)malloc_usable_size(memory);
  }
  return counted(__libc_realloc(memory, size));
}

void free(void *memory) {
  if (is_counting && memory) {
    frees++;
    bytes -= (long)malloc_usable_size(memory);
  }
  __libc_free(memory);
}

void heap_counting(int is_on) { is_counting = is_on; }
long heap_allocations(void) { return allocations; }
long heap_frees(void) { return frees; }
long heap_bytes(void) { return bytes; }

#else

void heap_counting(int is_on) { (void)is_on; }
long heap_allocations(void) { return -1; }
long heap_frees(void) { return -1; }
long heap_bytes(void) { return -1; }

#endif
