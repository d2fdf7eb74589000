/// What is known of logs while they are read, or grow.
package struct LogSnapshot: Sendable {
  package let analysis: LogAnalysis
  /// Which files are no logs; known when all is read.
  package let errors: [LogError]
  package let elements: ElementIndex
  package let chunks: ChunkIndex
  package let bytesRead: Int
  package let bytesTotal: Int
  /// Whether nothing more will come.
  package let isComplete: Bool
  /// How often everything began anew, because another log took the place of the one that was followed.
  package let restarts: Int
  /// Which state this is, counted by whoever holds one after the other: gaps that are filled change the log and not its size.
  package var revision = 0

  /// Of no logs.
  package static let empty = LogSnapshot(
    IndexedAccumulator(), [], [], bytesRead: 0, bytesTotal: 0, isComplete: false)

  /// - Parameter isComplete: whether everything was read; nil where the logs say themselves whether they are over.
  init(
    _ parts: IndexedAccumulator, _ tallies: [ReadingTally], _ files: [LogSource],
    bytesRead: Int, bytesTotal: Int, isComplete: Bool?, restarts: Int = 0
  ) {
    (analysis, errors) = LogAnalysis.of(
      parts.parts, tallies, files, isComplete: isComplete ?? false, tellsVersions: isComplete == nil
    )
    elements = ElementIndex(parts.elements, analysis)
    chunks = ChunkIndex(parts.chunks, analysis)
    self.bytesRead = bytesRead
    self.bytesTotal = bytesTotal
    self.isComplete = isComplete ?? (analysis.logs.last?.end != nil)
    self.restarts = restarts
  }
}
