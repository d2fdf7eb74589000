import TestSupport
import Testing

@testable import TraceAnalysis

@Suite("Inherited lifetimes")
struct InheritedLifetimeTests {
  private func undisposed(_ lines: [String]) throws -> [UInt64] {
    try RuleFixture("undisposed", lines).members.flatMap(\.self)
  }

  private func subscribe(_ id: Int, parent: Int? = nil, isForProcess: Bool = false) -> String {
    SampleLog.subscribe(
      id, "l\(id)", at: id,
      (parent.map { #","parent":\#($0)"# } ?? "") + (isForProcess ? #","lifetime":"process""# : ""))
  }

  @Test("A subscription inherits the lifetime of any downstream subscription, in any record order")
  func chain() throws {
    let lines = [
      subscribe(1, isForProcess: true), subscribe(2, parent: 1), subscribe(3, parent: 2),
      subscribe(4, parent: 3), subscribe(5), subscribe(6, parent: 5),
    ]
    #expect(try undisposed(lines) == [5])
    #expect(try undisposed(lines.reversed()) == [5])
  }

  @Test("A lifetime isn't inherited downstream or from a cause")
  func limits() throws {
    #expect(try undisposed([subscribe(1), subscribe(2, parent: 1, isForProcess: true)]) == [1])
    let caused = SampleLog.subscribe(2, "b", at: 2, #","cause":1"#)
    #expect(try undisposed([subscribe(1, isForProcess: true), caused]) == [2])
  }

  @Test("Damaged parents that form a circle don't hang the inheritance")
  func circle() throws {
    let lines = [
      subscribe(1, parent: 3), subscribe(2, parent: 1), subscribe(3, parent: 2),
      subscribe(4, parent: 4), subscribe(5, parent: 99),
    ]
    #expect(try undisposed(lines) == [1, 4, 5])
    #expect(
      try undisposed(lines + [subscribe(6, parent: 1), subscribe(7, isForProcess: true)]) == [
        1, 4, 5,
      ])
    let inherited =
      lines.dropLast(2) + [subscribe(8, parent: 9), subscribe(9, parent: 8, isForProcess: true)]
    #expect(try undisposed(Array(inherited)) == [1])
  }

  @Test("A lifetime is inherited in a later file of a log")
  func segments() throws {
    let second = [
      SampleLog.header.replacing(#""version":1"#, with: #""version":1,"segment":2"#),
      #"{"t":3,"event":"alive","sub":2,"lane":"b","parent":1}"#,
      #"{"t":3,"event":"alive","sub":1,"lane":"a","lifetime":"process"}"#,
      #"{"t":7,"event":"end","records":3,"lost":0}"#,
    ]
    #expect(Verdict(try analyze(second.joined(separator: "\n"))).findings.isEmpty)
  }
}
