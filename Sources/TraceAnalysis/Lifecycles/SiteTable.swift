import TraceFormat

/// A table that finds the `Site` of a subscription by the bytes of its strings, without a lock.
struct SiteTable: Sendable {
  private struct Entry: Sendable {
    let bytes: [UInt8]
    let site: KnownSite
  }

  private var entries: [UInt64: [Entry]] = [:]
  private var scratch: [UInt8] = []
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
      function: name.function, type: site.type, op: site.op)
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
      op: record.op)
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
    op: LogFormat.Operator?
  ) -> KnownSite {
    scratch.removeAll(keepingCapacity: true)
    for text in [lane, source, function, type] {
      // JSON text contains no raw control characters, so 0 and 1 separate the strings
      // unambiguously.
      scratch.append(text == nil ? 0 : 1)
      if let text {
        scratch.append(contentsOf: UnsafeBufferPointer(start: text.start, count: text.count))
      }
    }
    scratch.append(contentsOf: (op?.rawValue ?? "").utf8)
    return intern(scratch) {
      KnownSite(
        lane: lane?.string ?? source?.string ?? "(no lane)", source: source?.string,
        function: function?.string, type: type?.string, op: op)
    }
  }

  private mutating func intern(_ bytes: [UInt8], _ make: () -> KnownSite) -> KnownSite {
    let hash = bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.map { ElementDigest.number($0, bytes.count) } ?? 0
    }
    if let entry = entries[hash]?.first(where: { $0.bytes == bytes }) { return entry.site }
    let site = make()
    entries[hash, default: []].append(Entry(bytes: bytes, site: site))
    return site
  }

  /// Adds the entries of another table.
  mutating func append(_ other: SiteTable) {
    names.merge(other.names) { _, later in later }
    for entry in other.entries.values.joined() { _ = intern(entry.bytes) { entry.site } }
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
