import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceWords
@testable import ViewerConsole

@Suite("Words for origins")
struct OriginWordsTests {
  private typealias Call = UnfinishedTask.Call

  private let leak = Call(
    function: "CartTests.titleLeaks()", source: "ShopTests/CartTests.swift:10")
  private let open = Call(function: "Screen.open()", source: "Shop/Screen.swift:3")

  @Test("A call that is the test names the test")
  func test() {
    let test = FindingOrigin.Test(name: "CartTests/titleLeaks()", source: "ShopTests/A.swift:8")
    #expect(
      OriginWords.text(.init(test: test, calls: [leak]))
        == "from CartTests.titleLeaks() (CartTests.swift:10)")
    let ofXCTest = FindingOrigin.Test(name: "CartTests.titleLeaks", source: nil)
    #expect(
      OriginWords.text(.init(test: ofXCTest, calls: [open, leak]))
        == "from Screen.open() (Screen.swift:3), called by CartTests.titleLeaks() "
        + "(CartTests.swift:10)")
  }

  @Test("A test that is not among the calls is named with them, or with its line")
  func otherTest() {
    let test = FindingOrigin.Test(name: "CartTests/other()", source: "ShopTests/A.swift:8")
    #expect(
      OriginWords.text(.init(test: test, calls: [open]))
        == "from Screen.open() (Screen.swift:3), while the test CartTests/other() ran")
    #expect(
      OriginWords.text(.init(test: test, calls: []))
        == "while the test CartTests/other() (A.swift:8) ran")
  }

  @Test("Of many calls, the innermost ones and the outermost one are named")
  func manyCalls() {
    let calls = (1...6).map { Call(function: "f\($0)()", source: nil) }
    #expect(
      OriginWords.text(.init(test: nil, calls: calls))
        == "from f1(), called by f2(), called by f3(), ..., f6()")
    #expect(
      OriginWords.text(.init(test: nil, calls: Array(calls.prefix(4))))
        == "from f1(), called by f2(), called by f3(), called by f4()")
  }

  /// A log with a leak in each of some tests, all observed at the same line.
  private func log(tests: Int) throws -> LogAnalysis {
    let lines = (1...tests).flatMap { number in
      [
        #"{"t":\#(number),"event":"scope-begin","source":"ShopTests/CartTests.swift:\#(number)","#
          + #""scope":\#(2 * number - 1),"name":"CartTests/t\#(number)()","kind":"test"}"#,
        #"{"t":\#(number),"event":"scope-begin","scope":\#(2 * number),"#
          + #""outer":\#(2 * number - 1),"name":"inner"}"#,
        SampleLog.subscribe(
          number, "cart", at: number,
          #","observed":"call.\#(number)","scope":\#(2 * number)"#),
        #"{"t":\#(number),"event":"place","lane":"call.\#(number)","source":"Shop/Cart.swift:11","#
          + #""calls":[{"name":"CartTests.t\#(number)()","at":"ShopTests/CartTests.swift:9"}]}"#,
      ]
    }
    return try LogAnalysis.read(
      LogSource(name: "a.jsonl", bytes: Array(SampleLog.make(lines).utf8)))
  }

  @Test("A finding has each different origin of its subscriptions, and the number of the others")
  func ofFinding() throws {
    let log = try log(tests: 5)
    let groups = Verdict(log).groups
    #expect(groups.count == 1)
    let group = try #require(groups.first)
    #expect(log.origins(of: group).count == 5)
    #expect(log.origins(of: group).first?.test?.name == "CartTests/t1()")
    let words = FindingWords(log: log, page: Page(width: 100, glyphs: .unicode))
    #expect(
      words.origins(of: group) == [
        "made from CartTests.t1() (CartTests.swift:9)",
        "made from CartTests.t2() (CartTests.swift:9)",
        "made from CartTests.t3() (CartTests.swift:9)", "and in 2 other ways",
      ])
  }

  @Test("Scopes that contain each other don't belong to a test")
  func circular() throws {
    let lines = [
      #"{"t":1,"event":"scope-begin","scope":1,"outer":2,"name":"a"}"#,
      #"{"t":1,"event":"scope-begin","scope":2,"outer":1,"name":"b"}"#,
      SampleLog.subscribe(1, "cart", at: 2, #","scope":1"#),
    ]
    let log = try LogAnalysis.read(
      LogSource(name: "a.jsonl", bytes: Array(SampleLog.make(lines).utf8)))
    #expect(log.origin(of: 0) == nil)
  }
}
