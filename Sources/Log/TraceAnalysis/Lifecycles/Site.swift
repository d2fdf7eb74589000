import SystemLibrary
package import TraceFormat

/// The properties that all subscriptions made at one source location share.
package final class Site: Sendable {
  package let lane: String
  /// The source location, such as `Module/File.swift:42`; `nil` if the log does not say.
  package let source: String?
  package let function: String?
  package let type: String?
  package let op: LogFormat.Operator?
  /// The library of the subscriptions; `nil` for ReactiveKit, or if the log does not say.
  package let library: LogFormat.StreamLibrary?
  /// The number of the site among those of all logs, from 0; nil for one that isn't in a log.
  let number: Int?

  /// The source file, without the line.
  package var file: String? { source.map { SourceText($0).file } }

  /// The line in the source file.
  package var line: Int? { source.flatMap { SourceText($0).line } }

  package convenience init(
    lane: String, source: String? = nil, function: String? = nil, type: String? = nil
  ) {
    self.init(
      lane: lane, source: source, function: function, type: type, op: nil, library: nil,
      number: nil)
  }

  fileprivate init(
    lane: String, source: String?, function: String?, type: String?, op: LogFormat.Operator?,
    library: LogFormat.StreamLibrary?, number: Int?
  ) {
    self.number = number
    self.lane = lane
    self.source = source
    self.function = function
    self.type = type
    self.op = op
    self.library = library
  }
}

/// A site that exists as long as the process. Sites whose strings have equal bytes are one object.
///
/// A log may have a million subscriptions, and each has a site. Copying a `KnownSite` does not
/// change a reference count, so subscriptions are trivially copyable. Copying all of them takes a
/// third of the time.
struct KnownSite: Sendable {
  unowned(unsafe) let site: Site

  /// The sites by the bytes of their strings. `String` values are also equal if they are only
  /// canonically equivalent, such as an `é` of one scalar and one of two.
  private static let all = BlockingMutex<[[UInt8]: Site]>([:])

  init(
    lane: String, source: String? = nil, function: String? = nil, type: String? = nil,
    op: LogFormat.Operator? = nil, library: LogFormat.StreamLibrary? = nil
  ) {
    var key: [UInt8] = []
    for text in [lane, source, function, type, op?.rawValue, library?.rawValue] {
      guard let text else {
        key.append(0)
        continue
      }
      key.append(1)
      withUnsafeBytes(of: text.utf8.count) { key.append(contentsOf: $0) }
      key.append(contentsOf: text.utf8)
    }
    site = Self.all.withLock { all in
      if let known = all[key] { return known }
      let site = Site(
        lane: lane, source: source, function: function, type: type, op: op, library: library,
        number: all.count)
      all[key] = site
      return site
    }
  }
}
