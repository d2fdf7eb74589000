#pragma once

/// How often the calling thread has allocated memory since it began, or -1 where that cannot be counted: on other
/// systems than Linux with glibc, and in builds for a sanitizer, which counts on being the allocator itself.
long allocations_of_this_thread(void);
