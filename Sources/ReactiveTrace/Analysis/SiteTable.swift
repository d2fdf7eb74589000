/// Makes one `Site` of all subscriptions that agree in their bytes.
struct SiteTable {
  private struct Entry {
    let bytes: [UInt8]
    let site: Site
  }

  private var entries: [UInt64: [Entry]] = [:]
  private var scratch: [UInt8] = []
  /// What lanes are called that had no name when they began.
  private var names: [String: (source: String, function: String?)] = [:]

  /// Notes what the source calls a lane.
  mutating func name(_ lane: RawText, source: RawText?, function: RawText?) {
    guard let source else { return }
    names[lane.string] = (source.string, function?.string)
  }

  var hasNames: Bool { !names.isEmpty }

  /// The same site under the name that its place has in the source, where one was noted.
  func named(_ site: Site) -> Site {
    guard site.op == .observe, let name = names[site.lane] else { return site }
    return Site(
      lane: name.source, source: name.source, function: name.function, type: site.type, op: site.op)
  }

  mutating func site(of record: TraceRecord.Subscribe) -> Site {
    site(
      lane: record.lane, source: record.source, function: record.function, type: record.type,
      op: record.op)
  }

  /// The site of a subscription whose beginning is not in the log.
  mutating func site(lane: RawText?) -> Site {
    site(lane: lane, source: nil, function: nil, type: nil, op: nil)
  }

  private mutating func site(
    lane: RawText?, source: RawText?, function: RawText?, type: RawText?,
    op: LogFormat.Operator?
  ) -> Site {
    scratch.removeAll(keepingCapacity: true)
    for text in [lane, source, function, type] {
      // JSON text holds no raw control characters, so these two separate without doubt.
      scratch.append(text == nil ? 0 : 1)
      if let text {
        scratch.append(contentsOf: UnsafeBufferPointer(start: text.start, count: text.count))
      }
    }
    scratch.append(contentsOf: (op?.rawValue ?? "").utf8)
    let hash = SiteTable.hash(scratch)
    if let entry = entries[hash]?.first(where: { $0.bytes == scratch }) { return entry.site }
    let site = Site(
      lane: lane?.string ?? source?.string ?? "(no lane)", source: source?.string,
      function: function?.string, type: type?.string, op: op)
    entries[hash, default: []].append(Entry(bytes: scratch, site: site))
    return site
  }

  /// FNV-1a.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
