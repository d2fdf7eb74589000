#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Gives the processor to another thread.
package func yieldThread() {
  sched_yield()
}
