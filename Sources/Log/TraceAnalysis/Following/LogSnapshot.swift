/// The state of logs while they are read or grow.
package struct LogSnapshot: Sendable {
  package let analysis: LogAnalysis
  /// The errors of files that are not logs; available once everything is read.
  package let errors: [LogError]
  package let elements: ElementIndex
  let chunks: ChunkIndex
  package let bytesRead: Int
  package let bytesTotal: Int
  /// A Boolean value that indicates whether no more content will follow.
  package let isComplete: Bool
  /// The number of times that reading started over, because another log replaced the followed one.
  package let restarts: Int
  /// What the previous snapshot of a followed log didn't have.
  let news: LogNews
  /// The revision number, which the owner of successive snapshots increments. The size of the log
  /// doesn't identify its state, because filling gaps doesn't change the size.
  package var revision = 0
  /// A Boolean value that indicates whether all logs begin at time 0.
  package let isAligned: Bool
  /// The same logs on one time axis, where each begins when its process began.
  package let onOneAxis: LogAnalysis

  /// A snapshot without logs.
  package static let empty = LogSnapshot(
    IndexedAccumulator(), [], [], bytesRead: 0, bytesTotal: 0, isComplete: false)

  /// Creates a snapshot of the content that was read.
  ///
  /// - Parameter isComplete: True if everything was read; nil if the logs themselves show whether
  ///   they have ended.
  init(
    _ parts: consuming IndexedAccumulator, _ tallies: [ReadingTally], _ files: [LogSource],
    bytesRead: Int, bytesTotal: Int, isComplete: Bool?, restarts: Int = 0,
    news: LogNews = LogNews()
  ) {
    (analysis, errors) = LogAnalysis.of(
      parts.takeParts(), tallies, files, isComplete: isComplete ?? false,
      reportsVersions: isComplete == nil)
    elements = ElementIndex(parts.elements, analysis)
    chunks = ChunkIndex(parts.chunks, analysis)
    self.bytesRead = bytesRead
    self.bytesTotal = bytesTotal
    self.isComplete = isComplete ?? (analysis.logs.last?.end != nil)
    self.restarts = restarts
    self.news = news
    isAligned = false
    onOneAxis = analysis
  }

  init(aligning other: LogSnapshot) {
    analysis = other.analysis.aligned
    errors = other.errors
    elements = other.elements.aligned(analysis.lifecycles)
    chunks = other.chunks.aligned
    (bytesRead, bytesTotal) = (other.bytesRead, other.bytesTotal)
    (isComplete, restarts, news) = (other.isComplete, other.restarts, other.news)
    revision = other.revision
    isAligned = true
    onOneAxis = other.analysis
  }
}
