import AnalysisShims

/// The memory that the threads used while they read and checked a log.
package enum MemoryOfReading {
  /// Returns unused memory, which the allocator would keep, to the system.
  ///
  /// This takes some milliseconds, during which no other thread can allocate, so call it at the end
  /// of the work.
  package static func giveBack() { analysis_trim_memory() }
}
