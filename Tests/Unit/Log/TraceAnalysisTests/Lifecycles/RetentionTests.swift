import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Retention")
struct RetentionTests {
  private func retention(_ lines: [String], of id: UInt64 = 1) throws -> Retention? {
    let log = try analyze(lines.joined(separator: "\n"))
    let index = SubscriptionID(id).flatMap { log.index(of: $0) }
    return index.flatMap { log.retention(of: $0) }
  }

  private let subscribe = SampleLog.subscribe(1, "a", at: 1)

  @Test("All facts of a retention record are read, and unknown members are ignored")
  func facts() throws {
    let record = RetainedLog.facts(
      1, at: 5,
      steps: #"{"kind":"field","type":"A","name":"bag","holds":"DisposeBag","way":"bag","x":[{}]},"#
        + #"{"kind":"subscription","name":"a","sub":1,"at":"M/F.swift:1","column":3}"#,
      #","tail":1,"break":0,"owner":"bag","searched":9,"of-later":[1,{"a":[2]}]"#)
    #expect(
      try retention([subscribe, record])
        == Retention(
          kind: .cycle,
          steps: [
            .init(.field(.init("A", "bag", .type("DisposeBag"), .bag))),
            .init(
              .subscription(SubscriptionID(1), lane: "a"), site: "M/F.swift:1", column: 3),
          ], tail: 1, breakIndex: 0, owner: .bag, limit: .searched(bytes: 9)))
  }

  @Test(
    "A retention record with a damaged list of steps doesn't prove a cycle",
    arguments: [#""steps":[{"kind":"field"},7]"#, #""steps":{}"#, #""steps":[]"#, #""steps":"a""#])
  func damagedSteps(member: String) throws {
    let record = #"{"t":5,"event":"retained","sub":1,"kind":"cycle",\#(member)}"#
    let found = try #require(try retention([subscribe, record]))
    #expect(found.kind == .none)
    #expect(found.steps.isEmpty)
  }

  @Test(
    "Only the readable members of a damaged retention record are used",
    arguments: [
      (#""kind":"cycle""#, "none 0 0 nil"),
      (#""kind":"spiral","steps":[{}]"#, "none 1 0 nil"),
      (#""kind":"cycle","steps":[{},{}],"tail":2,"break":2"#, "cycle 2 1 nil"),
      (#""kind":"cycle","steps":[{},{}],"tail":99999999999999999999"#, "cycle 2 0 nil"),
      (#""kind":"path","steps":[{}],"tail":1,"break":0"#, "path 1 0 0"),
      (#""kind":"cycle","steps":[{}],"owner":7,"steps":[{},{"at":[]}]"#, "cycle 2 0 nil"),
    ])
  func damaged(members: String, expected: String) throws {
    let record = #"{"t":5,"event":"retained","sub":1,\#(members)}"#
    let found = try #require(try retention([subscribe, record]))
    let index = found.breakIndex.map { "\($0)" } ?? "nil"
    #expect("\(found.kind) \(found.steps.count) \(found.tail) \(index)" == expected)
  }

  @Test("The latest retention of a subscription wins, regardless of the order of the lines")
  func latest() throws {
    let early = RetainedLog.retained(1, at: 5, path: ["early"])
    let late = RetainedLog.retained(1, at: 9, path: ["late"])
    let again = RetainedLog.retained(1, at: 9, path: ["again"])
    for (lines, expected) in [
      ([subscribe, early, late], "late"), ([subscribe, late, early], "late"),
      ([late, subscribe, early], "late"), ([subscribe, late, again], "again"),
    ] {
      #expect(try retention(lines)?.steps.first.map(RetentionWords.name) == expected)
    }
  }

  @Test("A subscription that ended or isn't in the log doesn't have a retention")
  func ended() throws {
    let record = RetainedLog.retained(1, at: 5, path: ["a"])
    #expect(try retention([subscribe, record, SampleLog.end("disposed", 1, "a", at: 9)]) == nil)
    let log = try analyze(SampleLog.make([record]))
    #expect(log.lifecycles.isEmpty)
    #expect(Verdict(log).outcome == .clean)
  }

  @Test("A retention belongs to the subscription of its own log")
  func severalLogs() throws {
    let log = SampleLog.make([subscribe, RetainedLog.retained(1, at: 5, path: ["a"])])
    let other = SampleLog.ofAnother(SampleLog.make([subscribe]), process: 7)
    for text in [log + other, other + log] {
      let read = try analyze(text)
      #expect(read.lifecycles.indices.count { read.retention(of: $0) != nil } == 1)
    }
  }

  @Test("A retention and an observed place can come from any file of a log")
  func segments() throws {
    let first = [
      SampleLog.header,
      SampleLog.subscribe(1, "a", at: 1, #","observed":"call.4""#),
      #"{"t":2,"event":"continued","records":2,"lost":0}"#,
    ]
    let second = [
      SampleLog.header.replacing(#""version":1"#, with: #""version":1,"segment":2"#),
      #"{"t":3,"event":"alive","sub":1,"lane":"a","observed":"call.4"}"#,
      RetainedLog.retained(1, at: 5, path: ["a"]),
      #"{"t":6,"event":"place","lane":"call.4","function":"f()"}"#,
      #"{"t":7,"event":"end","records":4,"lost":0}"#,
    ]
    for lines in [first + second, second] {
      let log = try analyze(lines.joined(separator: "\n"))
      #expect(log.retention(of: 0)?.steps.map(RetentionWords.name) == ["a"])
      #expect(log.observed(of: log.lifecycles[0]) == ObservedPlace(function: "f()"))
    }
  }
}

@Suite("ObservedPlace")
struct ObservedPlaceTests {
  private func place(_ observed: String, _ more: String...) throws -> ObservedPlace? {
    let subscribe = SampleLog.subscribe(1, "a", at: 1, #","observed":"\#(observed)""#)
    let log = try analyze(([subscribe] + more).joined(separator: "\n"))
    return log.observed(of: log.lifecycles[0])
  }

  @Test("An observed place is a location, or a name that a later record resolves")
  func names() throws {
    #expect(try place("M/F.swift:26") == ObservedPlace(source: "M/F.swift:26"))
    #expect(try place("call.7") == nil)
    #expect(try place("") == nil)
    let record = #"{"t":2,"event":"place","lane":"call.7","source":"M/F.swift:9","function":"g()"}"#
    #expect(try place("call.7", record) == ObservedPlace(source: "M/F.swift:9", function: "g()"))
    #expect(try place("call.8", record) == nil)
    let image = #"{"t":2,"event":"place","lane":"call.7","function":"app+0x1204"}"#
    #expect(try place("call.7", image) == ObservedPlace(function: "app+0x1204"))
  }

  @Test("Observed places neither split a lane nor enlarge a lifecycle")
  func lanes() throws {
    let lines = (1...4).map { id in
      SampleLog.subscribe(id, "a", at: id, #","observed":"call.\#(id)""#)
    }
    let log = try analyze(lines.joined(separator: "\n"))
    #expect(log.lifecycles.allSatisfy { $0.site === log.lifecycles[0].site })
    #expect(MemoryLayout<Lifecycle>.stride <= 232)
  }
}
