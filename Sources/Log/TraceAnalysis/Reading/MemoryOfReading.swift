import CRuntime.Scanning

/// The memory that the threads used while they read and checked a log.
package enum MemoryOfReading {
  /// Returns unused memory, which the allocator would keep, to the system.
  ///
  /// This takes some milliseconds, during which no other thread can allocate, so call it at the end
  /// of the work.
  package static func giveBack() { analysis_trim_memory() }

  /// Lets the allocator return large blocks to the system as soon as they are freed, from now on in
  /// the whole process.
  ///
  /// For views: rows that are arranged again and again leave gaps otherwise. With a million
  /// subscriptions, a view had 460 MB at its highest instead of 350. Reading takes more processor
  /// time, because the pages of arrays that grow are new each time: 3.5 s became 3.5 to 4.3 s.
  package static func keepNoLargeBlocks() { analysis_keep_no_large_blocks() }
}
