import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("SiteTable")
struct SiteTableTests {
  /// Returns the site of a record with some strings.
  private func site(
    _ table: inout SiteTable, _ texts: [String?], _ op: LogFormat.Operator? = nil
  ) -> Site {
    var bytes: [UInt8] = []
    let ranges = texts.map { text -> Range<Int>? in
      guard let text else { return nil }
      let start = bytes.count
      bytes += Array(text.utf8)
      return start..<bytes.count
    }
    // The hash reads words.
    bytes += Array(repeating: 0, count: 16)
    return bytes.withUnsafeBufferPointer { bytes in
      let raw = ranges.map { range in
        range.flatMap { range in
          bytes.baseAddress.map {
            RawText(start: $0 + range.lowerBound, count: range.count, isEscaped: false)
          }
        }
      }
      return table.site(
        of: TraceRecord.Subscribe(
          id: SubscriptionID(known: 1), lane: raw[0], op: op, library: nil, source: raw[1],
          function: raw[2],
          type: raw[3], thread: nil, parent: nil, cause: nil, scope: nil, livesUntilExit: false,
          observed: nil, isShared: false, twin: nil, task: nil)
      ).site
    }
  }

  /// Strings that are equal one after the other but not each, and strings that are missing or
  /// empty.
  private let lists: [[String?]] = [
    ["ab", "c", nil, nil], ["a", "bc", nil, nil], ["a", nil, "bc", nil], ["abc", nil, nil, nil],
    ["abc", "", nil, nil], ["abc", nil, "", nil], [nil, "abc", nil, nil], [nil, nil, nil, nil],
    ["", nil, nil, nil], ["", "", "", ""], ["lane.of.a.screen", "File.swift:1", "f()", "Int"],
    ["lane.of.a.screen", "File.swift:1", "f()", "Inu"],
    ["lane.of.a.screen", "File.swift:2", "f()", "Int"],
  ]

  @Test("Records have the same site only if all their strings are equal")
  func identity() {
    var table = SiteTable()
    let operators: [LogFormat.Operator?] = [nil, .lane, .observe]
    func all() -> [ObjectIdentifier] {
      lists.flatMap { texts in
        operators.map { ObjectIdentifier(site(&table, texts, $0)) }
      }
    }
    let first = all()
    #expect(Set(first).count == lists.count * operators.count)
    #expect(all() == first)
  }

  @Test("A site table knows the sites of another one that it was joined with")
  func joining() {
    var (table, other) = (SiteTable(), SiteTable())
    let shared = site(&table, lists[0])
    #expect(site(&other, lists[0]) === shared)
    let later = lists.map { ObjectIdentifier(site(&other, $0)) }
    table.append(other)
    table.append(other)
    #expect(lists.map { ObjectIdentifier(site(&table, $0)) } == later)
  }
}
