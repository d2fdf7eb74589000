import TraceFormat

extension LogAnalysis {
  /// The reason why the content cannot be read again: a file was truncated or rewritten. It is nil
  /// if all files still have their content.
  ///
  /// A recorder that ends truncates the blank space after its last record. That is not a change.
  package var change: LogError? {
    let ends = recordEnds
    var isFirst = [Bool](repeating: true, count: files.count)
    for section in sections {
      let file = files[section.file]
      defer { isFirst[section.file] = false }
      guard isFirst[section.file] else { continue }
      guard let size = file.sizeNow, size >= ends[section.file] else { return .changed(file.name) }
      guard section.offset == 0, let trace = section.trace else { continue }
      if LogFollower.header(of: file)?.trace != trace { return .changed(file.name) }
    }
    return nil
  }

  /// The end of the last known record of each file. The length of a first record is not known, which
  /// matters only if the later records of its subscription are before it in the file.
  private var recordEnds: [Int] {
    var ends = [Int](repeating: 0, count: files.count)
    for lifecycle in lifecycles {
      for location in [lifecycle.firstLocation, lifecycle.last.location] {
        ends[location.file] = max(ends[location.file], location.offset + location.length)
      }
    }
    return ends
  }
}
