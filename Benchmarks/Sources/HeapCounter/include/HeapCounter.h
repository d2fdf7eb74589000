#ifndef HEAP_COUNTER_H
#define HEAP_COUNTER_H

/// Starts or stops counting the allocations of this thread. While it is off, counting costs only a
/// branch.
void heap_counting(int is_on);
/// Returns the allocations of this thread while counting was on, or -1 if they can't be counted.
long heap_allocations(void);
/// Returns the number of blocks that this thread freed while counting was on.
long heap_frees(void);
/// Returns the bytes that this thread allocated, minus those that it freed, while counting was on.
/// Sizes are rounded as the allocator rounds them.
long heap_bytes(void);

#endif
