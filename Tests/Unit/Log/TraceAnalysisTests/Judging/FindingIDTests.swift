import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Ids of findings")
struct FindingIDTests {
  private func log(_ lines: [String]) throws -> LogAnalysis {
    let file = LogSource(name: "x.jsonl", bytes: Array(SampleLog.make(lines).utf8))
    return try LogAnalysis.read(file)
  }

  private func ids(_ lines: [String]) throws -> [String] {
    try Verdict(log(lines)).groups.map(\.id.description)
  }

  private func leak(_ id: Int, _ lane: String, line: Int = 7, observed: Int? = nil) -> String {
    let place = observed.map { #","observed":"M/F.swift:\#($0)""# } ?? ""
    return SampleLog.subscribe(id, lane, at: id, line: line, place)
  }

  @Test("The id is the same if the code moves, if there are more subscriptions, and in any order")
  func stable() throws {
    let once = try ids([leak(1, "a", observed: 3), leak(2, "b", observed: 9)])
    #expect(Set(once).count == 2 && once.allSatisfy { $0.utf8.count == FindingID.length })
    #expect(try ids([leak(1, "a", line: 80, observed: 70), leak(2, "b", observed: 9)]) == once)
    let more = [leak(1, "b", observed: 9), leak(2, "a", observed: 3), leak(3, "a", observed: 3)]
    #expect(Set(try ids(more)) == Set(once))
  }

  @Test("The id is the same whether or not the process found the retain cycle")
  func cycles() throws {
    let open = [leak(1, "a", observed: 3)]
    let closed = open + [RetainedLog.retained(1, at: 50, path: ["x", "y"])]
    #expect(try Verdict(log(closed)).groups.map(\.isCycle) == [true])
    #expect(try ids(closed) == ids(open))
  }

  @Test("A cycle of several lanes has the same id, regardless of which subscription is older")
  func lanes() throws {
    func cycle(_ lanes: [String]) -> [String] {
      lanes.enumerated().map { leak($0 + 1, $1, observed: 3) }
        + [1, 2].map { RetainedLog.retained($0, at: 50, path: ["x", "y"]) }
    }
    let first = try ids(cycle(["a", "b"]))
    #expect(first.count == 1)
    #expect(try ids(cycle(["b", "a"])) == first)
  }

  @Test("Findings of one place that differ only in their lines have different ids")
  func collisions() throws {
    let first = try ids([leak(1, "a", observed: 3), leak(2, "a", observed: 9)])
    #expect(Set(first).count == 2)
    let swapped = try ids([leak(1, "a", observed: 9), leak(2, "a", observed: 3)])
    #expect(swapped == first.reversed())
  }

  /// Returns the records of leaked objects of one class, with the fields on their cycle.
  private func objects(_ id: Int, count: Int = 1, _ fields: [String]) -> [String] {
    let source = #""source":"M/Cart.swift:4","type":"M.Cart","count":\#(count)"#
    let steps = fields.map { #"{"kind":"field","type":"Cart","name":"\#($0)"}"# }
      .joined(separator: ",")
    let kind = fields.isEmpty ? "none" : "cycle"
    return [
      #"{"t":0,"event":"object","sub":\#(id),"lane":"Cart",\#(source),"members":[]}"#,
      #"{"t":0,"event":"retained","sub":\#(id),"lane":"Cart","kind":"\#(kind)","#
        + #""proof":"certain","steps":[\#(steps)]}"#,
    ]
  }

  @Test("The id of leaked objects depends on neither other leaks of the class nor their number")
  func ofObjects() throws {
    let alone = try ids(objects(1, ["next"]))
    #expect(alone.count == 1)
    let all =
      objects(1, []) + objects(2, ["owner", "next"]) + objects(3, count: 9, ["next", "next"])
    let found = try ids(all)
    #expect(Set(found).count == 3)
    #expect(found.contains(alone[0]))
    #expect(try Set(found).isSuperset(of: ids(objects(7, ["next", "owner"]))))
  }

  @Test("A part of a finding has the id of the whole")
  func parts() throws {
    let log = try log([leak(1, "a", observed: 3), leak(2, "a", observed: 3), leak(3, "b")])
    let verdict = Verdict(log)
    let part = verdict.groups(in: log) { $0.lifecycle == 1 }
    #expect(part.map(\.id) == [verdict.groups[0].id])
    #expect(part.map { $0.findings.map(\.lifecycle) } == [[1]])
    #expect(verdict.groups(of: [verdict.findings[2]], in: log).map(\.id) == [verdict.groups[1].id])
  }

  @Test("Thousands of findings have different ids")
  func many() throws {
    let all = try ids((1...5000).map { leak($0, "lane \($0)", line: $0) })
    #expect(Set(all).count == 5000)
  }
}
