import TestThreads
import Testing

@testable import ReactiveTrace
@testable import SwiftRuntime
@testable import TraceFormat

@Suite("Site table")
struct SiteTableTests {
  private let table = SharedSiteTable(capacity: 64)
  private let integers = Metadata.address(of: Int.self)

  private func site(_ name: String?, line: Int = 42, function: String = "bind()") -> TraceSite {
    TraceSite(name, file: "Shop/CartModel.swift", line: line, function: function)
  }

  @Test("Equal sites share one object")
  func equal() {
    let first = table.site(site("cart.total"), of: integers)
    let name = ["cart", "total"].joined(separator: ".")
    #expect(table.site(site(name), of: integers) === first)
    #expect(first.lane == "cart.total")
    #expect(first.source == "Shop/CartModel.swift:42")
    #expect(first.function == "bind()")
    #expect(first.type == "Int")
  }

  @Test("Sites that differ in any part don't share an object")
  func different() {
    let sites = [
      table.site(site("a"), of: integers), table.site(site("b"), of: integers),
      table.site(site(nil), of: integers), table.site(site("a", line: 43), of: integers),
      table.site(site("a", function: "f()"), of: integers),
      table.site(site("a"), of: Metadata.address(of: String.self)),
      table.site(
        TraceSite("a", .debug, file: "Shop/CartModel.swift", line: 42, function: "bind()"),
        of: integers),
      table.site(
        TraceSite("a", file: "Shop/CartModel2.swift", line: 42, function: "bind()"), of: integers),
      table.site(TraceSite(nil, .observe, place: PlaceNumber(number: 1)), of: integers),
      table.site(TraceSite(nil, .observe, place: PlaceNumber(number: 2)), of: integers),
      // Two names with different bytes that are equal as strings.
      table.site(site("caf\u{e9}"), of: integers), table.site(site("cafe\u{301}"), of: integers),
    ]
    #expect(Set(sites.map { ObjectIdentifier($0) }).count == sites.count)
    #expect(sites[2].lane == "Shop/CartModel.swift:42")
    #expect(sites[8].lane == "observed.1")
    #expect(Array(sites[11].lane.utf8) == Array("cafe\u{301}".utf8))
  }

  @Test("Sites beyond the table's capacity aren't shared")
  func full() {
    let names = (0..<1000).map { "cell \($0)" }
    let sites = names.map { table.site(site($0), of: integers) }
    #expect(sites.map(\.lane) == names)
    let known = zip(names, sites).count { table.site(site($0), of: integers) === $1 }
    #expect((16...64).contains(known))
  }

  @Test(
    "A site with cached fields encodes the same bytes as one without",
    arguments: ["search.results", "a \"quoted\"\nlane", "\u{6f22}\u{5b57}", ""])
  func encoded(lane: String) {
    let lines = [true, false].map { encodesParts in
      let site = SharedSite(site(lane), type: "Array<String>", encodesParts: encodesParts)
      var line = LineBuffer()
      defer { line.deallocate() }
      line.begin(at: 1204, .subscribe)
      line.integer(.sub, 7)
      site.encodeLane(&line)
      line.integer(.thread, 2)
      site.encodeDetails(&line)
      line.end()
      let fields = (0..<line.fieldCount).map { line.fields[$0] }
      return (line.finishedBytes, fields.map { [$0.start, $0.end, $0.isText ? 1 : 0] })
    }
    #expect(lines[0].0 == lines[1].0)
    #expect(lines[0].1 == lines[1].1)
    #expect(lines[0].1.count == 9)
  }

  @Test("Threads that request the same sites concurrently get correct sites")
  func threads() {
    let names = (0..<48).map { "lane.\($0)" }
    let table = table
    let integers = integers
    runOnThreads(4) { thread in
      for round in 0..<200 {
        let name = names[(round &* 7 &+ thread) % names.count]
        let site = TraceSite(name, file: "Shop.swift", line: 1, function: "bind()")
        #expect(table.site(site, of: integers).lane == name)
      }
    }
    for name in names { #expect(table.site(site(name), of: integers).lane == name) }
  }
}
