#ifndef HEAP_COUNTER_H
#define HEAP_COUNTER_H

/// Starts and stops to count what this thread allocates. Counting costs nothing while it is off but a branch.
void heap_counting(int is_on);
/// Allocations of this thread while counting was on; -1 where they cannot be counted.
long heap_allocations(void);
/// Blocks that this thread freed while counting was on.
long heap_frees(void);
/// Bytes that this thread allocated less those that it freed, as the allocator rounds them, while counting was on.
long heap_bytes(void);

#endif
