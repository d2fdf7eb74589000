import Foundation
import Testing

@testable import ReactiveTrace
@testable import TraceFormat

@Suite("Texts of explanations")
struct ExplanationTextTests {
  typealias Explanation = Trace.Explanation

  private func step(_ what: String, _ detail: String = "") -> Explanation.Step {
    Explanation.Step(what: what, detail: detail, source: nil)
  }

  private var cycle: [Explanation.Step] {
    [
      step("closure at SearchScreen.swift:26", "captures self strongly"),
      step("SearchScreen.bag", "DisposeBag"), step("subscription of search.results", "#1"),
    ]
  }

  @Test(
    "A closure without a line is named after its enclosing function",
    arguments: [
      ("closure #2 in SearchScreen.init(searchText:index:)", "closure in SearchScreen.init"),
      ("closure #1 in closure #3 in open(_:)", "closure in open"),
      ("implicit closure #2 in implicit closure #1 in A.open(_:)", "method reference in open(_:)"),
      ("open", "closure in open"), ("", "closure in "), ("in", "closure in "),
    ])
  func closures(name: String, expected: String) {
    #expect(PathWords.placeless(name) == expected)
  }

  @Test(
    "A nested function is distinguished from a closure",
    arguments: [
      ("update #1 (_:) in Screen.open()", "update"), ("update #1 in Screen.open()", "update"),
      ("closure #1 in update #1 (_:) in Screen.open()", nil),
      ("closure #1 in Screen.open()", nil), ("Screen.open()", nil), ("", nil),
      ("implicit closure #2 in implicit closure #1 in A.open(_:)", nil),
    ])
  func nestedFunctions(name: String, expected: String?) {
    #expect(PathWords.nestedFunction(name) == expected)
  }

  @Test("The enclosing type is found only if self is a value there")
  func values() {
    func type(_ function: String?, _ source: String? = "ReactiveTrace/Sites.swift:3") -> String? {
      PathWords.valueType(around: CodeLocation(source: source, function: function))
    }
    #expect(type("closure #1 in PathWords.explanation(_:of:)") == "PathWords")
    #expect(type("closure #2 in closure #1 in SourceField.collection.getter") == nil)
    #expect(type("closure #1 in DebugEntries.open()", nil) == nil)
    #expect(type("closure #1 in LogFile.open(_:)") == nil)
    #expect(type("closure #1 in Missing.open(_:)") == nil)
    #expect(type("open(_:)") == nil)
    #expect(type(nil) == nil)
  }

  private func field(_ name: String, _ owner: String, _ holding: NamedStep.Holding) -> NamedStep {
    NamedStep(step: step(name, ""), kind: .field(owner: owner, holding))
  }

  @Test("The advice for a cycle includes a disposal that doesn't happen automatically")
  func afterward() {
    var capture = ClosureCapture(way: .object)
    capture.isSelf = true
    let closure = NamedStep(step: step("closure at A.swift:3"), kind: .closure(capture))
    func advice(_ disposesItself: Bool) -> String? {
      CycleAdvice([
        closure, field("A.request", "A", .disposable(disposesItself: disposesItself)),
      ])?.sentence
    }
    #expect(advice(true) == "Capture self weakly: [weak self].")
    #expect(advice(false) == "Capture self weakly: [weak self]. Then dispose A.request in deinit.")
  }

  @Test("The advice is never a weak reference to a disposable")
  func disposables() {
    let cycle = [
      field("Lease.holder", "Lease", .reference),
      field("Holder.lease", "Holder", .disposable(disposesItself: false)),
    ]
    let advice = CycleAdvice(
      cycle, rest: [field("Lease.subscription", "Lease", .disposable(disposesItself: false))])
    #expect(advice?.index == 0)
    #expect(
      advice?.sentence == """
        Make Lease.holder an optional weak reference, or end the object that it refers to. \
        Then dispose Lease.subscription in deinit.
        """)
    #expect(
      CycleAdvice([cycle[1]])?.sentence == "Dispose Holder.lease when Holder is no longer needed.")
  }

  @Test("An object can be self only in a method of its own type")
  func selves() {
    #expect(PathWords.isMember("closure #1 in Row.begin()", of: "Row"))
    #expect(PathWords.isMember("closure #1 in App.Row<A>.begin(_:)", of: "Row<Int>"))
    #expect(PathWords.isMember("closure #1 in closure #1 in Row.format.getter", of: "Row"))
    #expect(!PathWords.isMember("closure #1 in TableRow.begin()", of: "Row"))
    #expect(!PathWords.isMember("closure #1 in static Row.begin()", of: "Row"))
    #expect(!PathWords.isMember("closure #1 in Row", of: "Row"))
    #expect(!PathWords.isMember("", of: "Row"))
  }

  @Test("The description of a cycle matches the report")
  func cycleText() {
    let explanation = Explanation(
      kind: .cycle, steps: cycle, breakIndex: 0, advice: "Capture self weakly: [weak self].",
      holder: "It is in a bag.")
    #expect(
      explanation.description == """
        kept alive by a cycle:
          closure at SearchScreen.swift:26   captures self strongly      <- break it here: [weak self]
          SearchScreen.bag                   DisposeBag
          subscription of search.results     #1
        It is in a bag.
        """)
  }

  @Test("The description shows where a cycle that doesn't include the subscription ends")
  func tail() {
    let explanation = Explanation(
      kind: .cycle, isProbable: true,
      steps: [
        step("Node.parent"), step("Node.child"), step("Node.bag"), step("subscription of a"),
      ],
      tail: 2, breakIndex: 0, advice: "Make Node.parent weak.", note: "A note.")
    #expect(
      explanation.description == """
        probably kept alive by a cycle:
          Node.parent      <- break it here: Make Node.parent weak
          Node.child
          and from the cycle to the subscription:
          Node.bag
          subscription of a
        A note.
        """)
  }

  @Test("A description without a cycle shows the path, or that nothing was found")
  func others() {
    let path = Explanation(
      kind: .path,
      steps: [step("static Cache.bag", "DisposeBag"), step("subscription of a", "#7")],
      advice: "Dispose the subscription.")
    #expect(
      path.description == """
        held by:
          static Cache.bag    DisposeBag
          subscription of a   #7
        Dispose the subscription.
        """)
    #expect(Explanation(kind: .none).description == "nothing was found that holds it")
    #expect(Explanation(kind: .none, note: "A note.").description == "A note.")
    #expect(Explanation(kind: .none, holder: "Nobody.").description == "Nobody.")
    #expect(Explanation(kind: .unsupported, note: "It cannot.").description == "It cannot.")
  }

  // MARK: In the log

  /// Returns the record of an explanation, decoded by Foundation's JSON parser instead of the
  /// project's.
  private func record(_ explanation: Explanation) throws -> [String: Any] {
    var line = LineBuffer()
    defer { line.deallocate() }
    line.begin(at: 7, .retained)
    explanation.encode(&line)
    line.end()
    let memory = Memory(line.count + 64)
    LinePublisher.publish(line, to: memory.start)
    #expect(memory.bytes.prefix(line.count + 1) == line.finishedBytes[...])
    let object = try JSONSerialization.jsonObject(with: Data(line.finishedBytes))
    return try #require(object as? [String: Any])
  }

  @Test("The record of an explanation omits unknown fields")
  func sparse() throws {
    let none = try record(Explanation(kind: .none, note: "A note."))
    #expect(Set(none.keys) == ["t", "event", "kind", "note"])
    let whole = try record(
      Explanation(
        kind: .cycle, steps: cycle, tail: 1, breakIndex: 0, advice: "Do.", holder: "It.", note: "N."
      ))
    #expect(
      Set(whole.keys) == [
        "t", "event", "kind", "proof", "path", "details", "sites", "tail", "break", "advice",
        "holder", "note",
      ])
    #expect(whole["path"] as? [String] == cycle.map(\.what))
    #expect(whole["details"] as? [String] == ["captures self strongly", "DisposeBag", "#1"])
    #expect(whole["sites"] as? [String] == ["", "", ""])
    #expect(whole["proof"] as? String == "certain")
    let probable = try record(Explanation(kind: .path, isProbable: true, steps: cycle))
    #expect(probable["proof"] as? String == "probable")
  }

  @Test("An explanation with arbitrary texts is encoded and published correctly", arguments: 0..<48)
  func anyTexts(shift: Int) throws {
    let texts = ["", "x", "é漢👩‍👧", "\n\"\\\u{1}", String(repeating: "y", count: shift), "]}"]
    let steps = (0..<6).map { number in
      Explanation.Step(
        what: texts[number], detail: texts[(number + 1) % 6] + texts[4],
        source: texts[(number + shift) % 6])
    }
    let record = try record(Explanation(kind: .path, steps: steps))
    #expect(record["path"] as? [String] == steps.map(\.what))
    #expect(record["details"] as? [String] == steps.map(\.detail))
    #expect(record["sites"] as? [String] == steps.map { $0.source ?? "" })
  }

  @Test(
    "An explanation with very many steps is recorded with the steps at both ends",
    arguments: [64, 65, 66, 100, 5000], [0, 1, 20, 40])
  func manySteps(count: Int, tail: Int) throws {
    let steps = (0..<count).map { step("step \($0)") }
    for marked in [0, 31, 40, count - tail - 1] {
      let record = try record(
        Explanation(kind: .cycle, steps: steps, tail: tail, breakIndex: marked))
      let path = try #require(record["path"] as? [String])
      #expect(path.count == 64)
      #expect(path.first == "step 0")
      #expect(path.last == "step \(count - 1)")
      if let index = record["break"] as? Int { #expect(path[index] == "step \(marked)") }
      if marked == 0 { #expect(record["break"] as? Int == 0) }
      let start = record["tail"] as? Int ?? 0
      if tail > 0, tail < 32 { #expect(path[64 - start] == "step \(count - tail)") }
      #expect((start == 0) == (tail == 0))
      if count > 64 { #expect(path[31] == "\(count - 63) more steps") }
    }
  }

  @Test("Very long texts of an explanation are truncated in the log")
  func endlessTexts() throws {
    let long = String(repeating: "漢", count: 100_000)
    let record = try record(
      Explanation(kind: .path, steps: [step(long, long)], advice: long, note: long))
    for key in ["advice", "note"] {
      let text = try #require(record[key] as? String)
      #expect((500...512).contains(text.utf8.count))
      #expect(text.hasPrefix("漢漢") && text.hasSuffix("漢..."))
    }
    #expect((record["path"] as? [String])?.first?.utf8.count ?? 0 <= 512)
  }

  // MARK: Settings

  @Test(
    "A valid setting gives the time limit for explanations",
    arguments: [
      ("on", 2_000_000_000), ("yes", 2_000_000_000), ("true", 2_000_000_000), ("off", 0),
      ("no", 0), ("false", 0), ("0", 0), ("1", 1_000_000_000), ("0.25", 250_000_000),
      ("5", 5_000_000_000), ("3600", 3_600_000_000_000),
    ])
  func limit(text: String, nanoseconds: Int) {
    #expect(EnvironmentSettings.explanationLimit(text) == nanoseconds)
  }

  @Test(
    "An invalid setting for the time limit is rejected",
    arguments: [
      "", ".", "-1", "nan", "inf", "1e3", "0x10", "3601", "99999999999999999999", "5s", " 5",
    ])
  func wrongLimit(text: String) {
    #expect(EnvironmentSettings.explanationLimit(text) == nil)
  }

  @Test("A duration in nanoseconds is limited to between zero and an hour")
  func durations() {
    #expect(Duration.milliseconds(2).inNanoseconds == 2_000_000)
    #expect(Duration.seconds(-1).inNanoseconds == 0)
    #expect(Duration.seconds(1 << 62).inNanoseconds == 3_600_000_000_000)
  }
}
