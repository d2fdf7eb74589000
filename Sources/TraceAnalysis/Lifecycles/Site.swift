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

  /// The source file, without the line.
  package var file: String? { source.map { SourceText($0).file } }

  /// The line in the source file.
  package var line: Int? { source.flatMap { SourceText($0).line } }

  package init(
    lane: String, source: String? = nil, function: String? = nil, type: String? = nil,
    op: LogFormat.Operator? = nil
  ) {
    self.lane = lane
    self.source = source
    self.function = function
    self.type = type
    self.op = op
  }
}

/// A site that lives as long as the process. Sites with equal texts are one object.
///
/// A log may have a million subscriptions, and each has a site. Copying a `KnownSite` counts no
/// reference, so a subscription is only bytes: a copy of all subscriptions takes a third of the time.
struct KnownSite: Sendable {
  unowned(unsafe) let site: Site

  private struct Key: Hashable {
    let lane: String
    let source: String?
    let function: String?
    let type: String?
    let op: LogFormat.Operator?
  }

  private static let all = BlockingMutex<[Key: Site]>([:])

  init(
    lane: String, source: String? = nil, function: String? = nil, type: String? = nil,
    op: LogFormat.Operator? = nil
  ) {
    let key = Key(lane: lane, source: source, function: function, type: type, op: op)
    site = Self.all.withLock { all in
      if let known = all[key] { return known }
      let site = Site(lane: lane, source: source, function: function, type: type, op: op)
      all[key] = site
      return site
    }
  }
}
