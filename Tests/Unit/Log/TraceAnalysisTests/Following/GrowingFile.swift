import Foundation
import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

/// A file that a test writes piece by piece, and a log that follows it.
final class GrowingFile {
  private let folder: TemporaryLog
  let log: GrowingLog
  private(set) var last: LogSnapshot?
  /// The events of all snapshots since the last restart, as they became known.
  var news: [LogEvent] { gathered.events }
  private let gathered = Gathered()
  private var reader = NewEventReader()

  private final class Gathered {
    var events: [LogEvent] = []
  }

  init(firstBatch: Int = 4096) throws {
    folder = try TemporaryLog()
    log = GrowingLog(paths: [folder.path], follows: true, firstBatch: firstBatch)
  }

  var path: String { folder.path }
  var other: String { folder.folder + "/other.jsonl" }

  func put(_ text: String, at offset: Int? = nil, path: String? = nil) throws {
    try put(Array(text.utf8), at: offset, path: path)
  }

  func put(_ bytes: [UInt8], at offset: Int? = nil, path: String? = nil) throws {
    let file = open(path ?? self.path, O_WRONLY | O_CREAT, 0o644)
    try #require(file >= 0)
    defer { close(file) }
    let place = offset.map { off_t($0) } ?? lseek(file, 0, SEEK_END)
    try #require(pwrite(file, bytes, bytes.count, place) == bytes.count)
  }

  func cut(to size: Int) {
    truncate(path, off_t(size))
  }

  /// Advances until nothing is new, and returns the last snapshot.
  @discardableResult
  func advance() throws -> LogSnapshot? {
    while let snapshot = try log.advance() {
      if snapshot.restarts != last?.restarts { gathered.events = [] }
      last = snapshot
      try reader.read(snapshot) { [gathered] in gathered.events.append($0) }
    }
    return last
  }

  /// Advances until incomplete lines are no longer awaited.
  func settle() throws -> LogSnapshot {
    for _ in 0..<60 { try advance() }
    return try #require(last)
  }
}

extension LogSnapshot {
  /// A description of the subscriptions and of the log, without line numbers and without facts that
  /// depend on the order in which lines were read.
  var summary: [String] {
    let lives = analysis.lifecycles.map { life in
      "\(life.id) \(life.site.lane) \(life.start.count) \(life.end?.count ?? 0) \(life.state)"
        + " \(life.elements) \(life.last.time.count) \(life.last.location.offset) \(life.log)"
    }
    let logs = analysis.logs.map {
      "\($0.records) \($0.missing) \($0.extra) \($0.lost) \(String(describing: $0.end))"
    }
    let sections = analysis.sections.map { section in
      let damage = Damage.Kind.allCases.map { "\($0) \(section.damage.count($0))" }
      return "\(section.offset) " + damage.joined(separator: " ")
    }
    let counts = "\(elements.total) \(analysis.marks.count) \(analysis.scopes.count)"
    return lives.sorted() + logs + sections + [counts]
  }

  static func whole(_ paths: String...) throws -> LogSnapshot {
    let files = try paths.map { try LogSource(path: $0) }
    return try #require(try snapshot(of: files, firstBatch: 1 << 20))
  }

  /// Returns the events in order, each with its line.
  func lines() throws -> [String] {
    try EventReader(self).events(after: .init(before: .zero), maxCount: .max).map { event in
      let id = event.lifecycle.map { analysis.lifecycles[$0].id.number } ?? 0
      return
        "\(event.time.count) \(event.kind) \(id) \(event.location.line) \(event.location.offset)"
    }
  }
}
