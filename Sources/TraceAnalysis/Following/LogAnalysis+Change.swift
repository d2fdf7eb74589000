import TraceFormat

extension LogAnalysis {
  /// Why what was read cannot be read again: a file was cut, or written anew. Nil where all files hold what they did.
  ///
  /// A recorder that ends cuts the blank space behind its last record; that is no change.
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

  /// Behind the last record of each file that something is known of.
  private var recordEnds: [Int] {
    var ends = [Int](repeating: 0, count: files.count)
    for lifecycle in lifecycles {
      for place in [lifecycle.firstPlace, lifecycle.last.place] {
        ends[place.file] = max(ends[place.file], place.offset + place.length)
      }
    }
    return ends
  }
}
