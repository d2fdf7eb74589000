import AnalysisShims

/// The memory that the threads used while they read and judged a log.
package enum MemoryOfReading {
  /// Gives memory that nobody needs anymore back to the system, which an allocator would keep.
  ///
  /// It takes some milliseconds, in which no other thread allocates, so it is for the end of the
  /// work.
  package static func giveBack() { analysis_trim_memory() }
}
