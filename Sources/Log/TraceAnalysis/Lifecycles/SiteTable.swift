import SystemLibrary
import TraceFormat

/// A table that finds the `Site` of a subscription by the bytes of its strings, without a lock.
struct SiteTable: Sendable {
  private struct Entry: Sendable {
    /// The strings of the key, each after a byte that reports whether the record has it.
    let bytes: [UInt8]
    let op: LogFormat.Operator?
    let library: LogFormat.StreamLibrary?
    let site: KnownSite

    func hasSameKey(as other: Entry) -> Bool {
      bytes == other.bytes && op == other.op && library == other.library
    }
  }

  /// What identifies a site. The strings are compared where they are in the log. Copying them first
  /// takes 2.4 times the instructions, and a log may have a million subscriptions.
  private struct Key {
    let lane: RawText?
    let source: RawText?
    let function: RawText?
    let type: RawText?
    let op: LogFormat.Operator?
    let library: LogFormat.StreamLibrary?

    @inline(__always)
    private func forEachText(_ body: (RawText?) -> Void) {
      body(lane)
      body(source)
      body(function)
      body(type)
    }

    var hash: UInt64 {
      var hash: UInt64 = 0
      forEachText { hash = hash &* Self.factor &+ ElementDigest.number(of: $0) }
      return hash
    }

    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The strings as in `Entry`.
    var bytes: [UInt8] {
      var bytes: [UInt8] = []
      forEachText { text in
        bytes.append(text == nil ? 0 : 1)
        if let text { bytes += UnsafeBufferPointer(start: text.start, count: text.count) }
      }
      return bytes
    }

    func identifies(_ entry: Entry) -> Bool {
      guard entry.op == op, entry.library == library else { return false }
      return entry.bytes.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return false }
        var position = 0
        var isEqual = true
        forEachText { text in
          let count = text?.count ?? 0
          // JSON text contains no raw control characters, so 0 and 1 separate the strings
          // unambiguously.
          guard isEqual, bytes.count - position > count,
            start[position] == (text == nil ? 0 : 1),
            text.map({ memcmp(start + position + 1, $0.start, count) == 0 }) ?? true
          else { return isEqual = false }
          position += 1 + count
        }
        return isEqual && position == bytes.count
      }
    }
  }

  private var entries: [UInt64: [Entry]] = [:]
  /// The names of lanes, and of places of observation, that had no name when they began.
  private var names: [String: PlaceName] = [:]

  /// Notes the name that the source gives a lane or a place.
  mutating func name(
    _ lane: RawText, source: RawText?, function: RawText?, calls: [UnfinishedTask.Call]
  ) {
    guard source != nil || function != nil else { return }
    names[lane.string] = PlaceName(
      source: source?.string, function: function?.string, calls: calls)
  }

  /// A Boolean value that indicates whether a lane has a name that came later.
  var namesLanes: Bool {
    !names.isEmpty && entries.values.contains { $0.contains { $0.site.site.canBeNamed } }
  }

  /// Returns the name that the source gives a place.
  func name(of place: String) -> PlaceName? { names[place] }

  /// Returns the site with the name of its source location, if one was noted.
  private func named(_ site: Site) -> KnownSite? {
    guard site.canBeNamed, let name = names[site.lane] else { return nil }
    return KnownSite(
      lane: name.source ?? name.function ?? site.lane, source: name.source,
      function: name.function, type: site.type, op: site.op, library: site.library)
  }

  /// Gives unnamed observations the names that the log has at its end.
  func nameSites(of lifecycles: inout LifecycleList) {
    var known: [ObjectIdentifier: KnownSite?] = [:]
    for index in lifecycles.indices {
      let site = lifecycles[index].site
      let named = known[ObjectIdentifier(site)] ?? named(site)
      known[ObjectIdentifier(site)] = .some(named)
      if let named { lifecycles[index].rename(to: named) }
    }
  }

  mutating func site(of record: TraceRecord.Subscribe) -> KnownSite {
    site(
      lane: record.lane, source: record.source, function: record.function, type: record.type,
      op: record.op, library: record.library)
  }

  /// Returns the site of a subscription whose beginning is not in the log.
  mutating func site(lane: RawText?) -> KnownSite {
    site(lane: lane, source: nil, function: nil, type: nil, op: nil)
  }

  /// Returns the place of a wait; nil if nothing is known about it. Its lane is the name that a
  /// `place` record explains, if it has one.
  mutating func place(of wait: TraceRecord.Suspended) -> KnownSite? {
    guard wait.source != nil || wait.function != nil || wait.observed != nil else { return nil }
    return site(
      lane: wait.observed, source: wait.source, function: wait.function, type: nil, op: nil)
  }

  private mutating func site(
    lane: RawText?, source: RawText?, function: RawText?, type: RawText?,
    op: LogFormat.Operator?, library: LogFormat.StreamLibrary? = nil
  ) -> KnownSite {
    let key = Key(
      lane: lane, source: source, function: function, type: type, op: op, library: library)
    let hash = key.hash
    if let entry = entries[hash]?.first(where: key.identifies) { return entry.site }
    let site = KnownSite(
      lane: lane?.string ?? source?.string ?? "(no lane)", source: source?.string,
      function: function?.string, type: type?.string, op: op, library: library)
    entries[hash, default: []].append(
      Entry(bytes: key.bytes, op: op, library: library, site: site))
    return site
  }

  /// Adds the entries of another table.
  mutating func append(_ other: SiteTable) {
    names.merge(other.names) { _, later in later }
    for (hash, found) in other.entries {
      for entry in found where entries[hash]?.contains(where: entry.hasSameKey) != true {
        entries[hash, default: []].append(entry)
      }
    }
  }
}

/// What a record says about a lane or a place that had no name when it was first used.
struct PlaceName: Sendable {
  let source: String?
  let function: String?
  /// The calls that led to the place, innermost first.
  let calls: [UnfinishedTask.Call]
}

extension Site {
  /// A Boolean value that indicates whether the lane may be a name that a `place` record explains.
  fileprivate var canBeNamed: Bool { op == .observe || op == .task }
}
