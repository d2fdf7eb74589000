import TraceFormat

/// The facts that show whether files still have the content that was read.
///
/// Gathering them takes time in proportion to the number of subscriptions. A check takes time in
/// proportion to the number of files.
package struct ReadContent: Sendable {
  private let files: [LogSource]
  /// The first section of each file that has one.
  private let beginnings: [LogAnalysis.Section]
  /// The end of the last known record of each file.
  private let ends: [Int]

  package init(_ log: LogAnalysis) {
    files = log.files
    var isFirst = [Bool](repeating: true, count: files.count)
    beginnings = log.sections.filter { section in
      defer { isFirst[section.file] = false }
      return isFirst[section.file]
    }
    ends = log.recordEnds
  }

  /// The reason why the content can't be read again: a file was truncated or rewritten. It is nil
  /// if all files still have their content.
  ///
  /// A recorder that ends truncates the blank space after its last record. That is not a change.
  package var change: LogError? {
    for section in beginnings {
      let file = files[section.file]
      guard let size = file.sizeNow, size >= ends[section.file] else { return .changed(file.name) }
      guard section.offset == 0, let trace = section.trace else { continue }
      if LogFollower.header(of: file)?.trace != trace { return .changed(file.name) }
    }
    return nil
  }
}

extension LogAnalysis {
  /// The end of the last known record of each file. The length of a first record is not known,
  /// which matters only if the later records of its subscription are before it in the file.
  fileprivate var recordEnds: [Int] {
    var ends = [Int](repeating: 0, count: files.count)
    for index in lifecycles.indices {
      let first = lifecycles.origin(at: index).firstLocation
      let last = lifecycles.activity(at: index).lastLocation
      ends[first.file] = max(ends[first.file], first.offset + first.length)
      ends[last.file] = max(ends[last.file], last.offset + last.length)
    }
    return ends
  }
}
