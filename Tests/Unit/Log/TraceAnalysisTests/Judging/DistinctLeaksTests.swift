import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("One mistake is one finding")
struct DistinctLeaksTests {
  private func subscribe(
    _ id: Int, _ lane: String = "a", parent: Int? = nil, line: Int = 0, more: String = ""
  ) -> String {
    let parent = parent.map { #","parent":\#($0)"# } ?? ""
    let observed = line > 0 ? #","observed":"M/F.swift:\#(line)""# : ""
    return SampleLog.subscribe(id, lane, at: 10 * id, parent + observed + more)
  }

  /// Returns a retain cycle that goes through the closure at a line.
  private func cycle(_ id: Int, closure line: Int, _ more: [String] = []) -> String {
    let steps =
      [
        RetainedLog.closure("Screen", at: "M/F.swift:\(line)"),
        RetainedLog.field("Screen", "bag", "DisposeBag", "bag"),
      ] + more.map(RetainedLog.named)
    return RetainedLog.facts(
      id, at: 500, steps: steps.joined(separator: ","), #","break":0"#)
  }

  /// Returns a path that ends with subscriptions.
  private func path(_ id: Int, over others: [Int]) -> String {
    let steps =
      [RetainedLog.named("global g")]
      + (others + [id]).map { RetainedLog.subscription("l\($0)", $0) }
    return RetainedLog.facts(id, at: 500, kind: "path", steps: steps.joined(separator: ","))
  }

  /// Returns the findings, each as its rule, its subscriptions and those that leak with it.
  private func findings(
    _ lines: [String], hasEnd: Bool = true, _ settings: RuleSettings = .init()
  ) throws -> [String] {
    var text = SampleLog.make(lines, end: 1000)
    if !hasEnd { text = text.split(separator: "\n").dropLast().map { $0 + "\n" }.joined() }
    let log = try analyze(text)
    func numbers(_ indices: [Int]) -> [UInt64] { indices.map { log.lifecycles[$0].id.number } }
    return Verdict(log, settings).findings.map { finding in
      "\(finding.rule) \(numbers(finding.members)) \(numbers(finding.consequences))"
        + (finding.isProven ? "" : " unproven")
    }
  }

  @Test("Growth doesn't repeat leaks of the same subscriptions")
  func growth() throws {
    let three = (1...3).map { subscribe($0) }
    let undisposed = (1...3).map { "undisposed [\($0)] []" }
    #expect(try findings(three) == undisposed)
    #expect(
      try findings(three + [cycle(2, closure: 5)])
        == ["retain-cycle [2] []", "undisposed [1] []", "undisposed [3] []"])
    // A subscription that lives until exit isn't a leak, but the number of them grows.
    let process = (1...3).map { subscribe($0, more: #","lifetime":"process""#) }
    #expect(try findings(process) == ["growth [3, 1, 2] []"])
    // The leaks aren't reported one by one.
    var settings = RuleSettings()
    settings.levels = ["undisposed": .off]
    #expect(try findings(three, settings) == ["growth [3, 1, 2] []"])
    settings.levels = ["undisposed": .warning]
    #expect(try findings(three, settings) == ["growth [3, 1, 2] []"])
    settings.levels = ["growth": .warning]
    #expect(try findings(three, settings) == undisposed)
  }

  /// Returns a scope and a subscription that is made in it.
  private func opened(_ id: Int, more: String = "") -> [String] {
    var lines = scope(id, "open", 10 * id - 1, 10 * id + 5)
    lines.append(subscribe(id, more: more))
    return lines
  }

  @Test("Growth is still reported if some of its subscriptions ended later")
  func partialGrowth() throws {
    let lines = (1...3).flatMap { opened($0) }
    let ended = lines + [SampleLog.end("disposed", 1, "a", at: 900)]
    #expect(
      Set(try findings(ended))
        == ["undisposed [2] []", "undisposed [3] []", "growth [3, 1, 2] []"])
    // Only the scopes prove anything about a killed process.
    #expect(try findings(lines, hasEnd: false) == ["growth [3, 1, 2] []"])
  }

  @Test("A subscription that outlives its scope and its process is one finding")
  func scopeLeak() throws {
    let lines = (1...3).flatMap { opened($0, more: #","scope":\#($0)"#) }
    #expect(try findings(lines) == (1...3).map { "undisposed [\($0)] []" })
    #expect(try findings(lines, hasEnd: false) == (1...3).map { "scope-leak [\($0)] []" })
    let cycles = lines + (1...3).map { cycle($0, closure: 7) }
    #expect(try findings(cycles) == (1...3).map { "retain-cycle [\($0)] []" })
    // The downstream subscription was made outside the scope.
    let chain =
      scope(1, "open", 1, 90) + [subscribe(1), subscribe(2, parent: 1, more: #","scope":1"#)]
    #expect(try findings(chain) == ["undisposed [1] [2]"])
    let ended = chain + [SampleLog.end("disposed", 1, "a", at: 500)]
    #expect(
      try findings(ended + [SampleLog.end("disposed", 2, "a", at: 500)]) == [
        "scope-leak [2] []"
      ])
  }

  @Test("A leak is a consequence of another leak whose subscription is on its path")
  func path() throws {
    let lines = [subscribe(1), subscribe(2), subscribe(3, parent: 2)]
    #expect(
      try findings(lines + [path(1, over: []), path(2, over: [1])]) == ["undisposed [1] [2, 3]"])
    // Subscriptions that ended or may live until exit aren't mistakes.
    #expect(
      try findings(lines + [path(2, over: [1]), SampleLog.end("disposed", 1, "a", at: 600)])
        == ["undisposed [2] [3]"])
    let meant = [subscribe(1, more: #","lifetime":"process""#), subscribe(2), path(2, over: [1])]
    #expect(try findings(meant) == ["undisposed [2] []"])
    // A subscription isn't caused by one that was made for it, and two that retain each other are
    // one mistake.
    #expect(try findings(lines + [path(2, over: [3])]).contains("undisposed [2] [3]"))
    #expect(
      try findings([subscribe(1), subscribe(2), path(1, over: [2]), path(2, over: [1])])
        == ["undisposed [1] [2]"])
  }

  @Test("Subscriptions that one closure keeps alive are reported where the closure is")
  func closure() throws {
    let feed = subscribe(2, "feed", line: 10)
    let screen = subscribe(3, "screen", line: 50)
    let cycles = [cycle(2, closure: 51), cycle(3, closure: 51)]
    #expect(try findings([feed, screen] + cycles) == ["retain-cycle [3] [2]"])
    #expect(try findings([screen, feed] + cycles) == ["retain-cycle [3] [2]"])
    // Each instance of one mistake has its own consequences.
    let instances = [
      feed, screen, subscribe(4, "feed", line: 10), subscribe(5, "screen", line: 50),
    ]
    #expect(
      try findings(instances + cycles + [cycle(4, closure: 51), cycle(5, closure: 51)])
        == ["retain-cycle [3] [2]", "retain-cycle [5] [4]"])
  }

  @Test("Two closures are two mistakes, even in one screen")
  func twoMistakes() throws {
    let lines = [
      subscribe(1, line: 10), subscribe(2, line: 20), cycle(1, closure: 10), cycle(2, closure: 20),
    ]
    #expect(try findings(lines) == ["retain-cycle [1] []", "retain-cycle [2] []"])
    let log = try analyze(SampleLog.make(lines, end: 1000))
    #expect(FindingGroup.groups(of: Verdict(log).findings, in: log).count == 2)
    let sameLine = [
      subscribe(1, line: 10), subscribe(2, line: 10), cycle(1, closure: 10), cycle(2, closure: 10),
    ]
    #expect(try findings(sameLine) == ["retain-cycle [1] []", "retain-cycle [2] []"])
  }

  @Test("Unexplained leaks of a place are grouped with its known cycle")
  func unexplained() throws {
    let lines = (1...5).map { subscribe($0, line: $0 == 5 ? 9 : 7) }
    let log = try analyze(SampleLog.make(lines + [cycle(2, closure: 7)], end: 1000))
    let groups = FindingGroup.groups(of: Verdict(log).findings, in: log)
    #expect(
      groups.map { $0.findings.map { log.lifecycles[$0.lifecycle].id.number } } == [
        [2, 1, 3, 4], [5],
      ])
    #expect(groups.map(\.isCycle) == [true, false])
  }

  @Test("A connection that continues for another observer leaks because of that observer")
  func movedConnection() throws {
    let moved =
      #"{"t":300,"event":"changed","sub":2,"lane":"feed","parent":3,"observed":"M/F.swift:50"}"#
    let lines = [
      subscribe(1, "first", line: 10), subscribe(2, "feed", parent: 1, line: 10),
      subscribe(3, "second", line: 50), SampleLog.end("disposed", 1, "first", at: 300),
    ]
    #expect(try findings(lines) == ["undisposed [2] []", "undisposed [3] []"])
    #expect(try findings(lines + [moved]) == ["undisposed [3] [2]"])
    #expect(try findings([moved] + lines) == ["undisposed [3] [2]"])
    // The new observer isn't traced, but its place is known.
    let untraced = moved.replacing(#""parent":3,"#, with: "")
    let log = try analyze(SampleLog.make([lines[1], untraced], end: 1000))
    #expect(log.lifecycles.map { log.observed(of: $0)?.line } == [50])
    #expect(log.lifecycles.map(\.parent) == [nil])
  }

  @Test(
    "The last change of a subscription's parent wins, regardless of where the log is divided",
    arguments: 1...6)
  func movedInParts(size: Int) throws {
    let text = SampleLog.make(
      [
        subscribe(1, "first", line: 10), subscribe(2, "feed", parent: 1, line: 10),
        subscribe(3, "second", line: 50), SampleLog.end("disposed", 1, "first", at: 300),
        #"{"t":300,"event":"changed","sub":2,"lane":"feed","parent":3,"observed":"M/F.swift:50"}"#,
        #"{"t":310,"event":"changed","sub":3,"lane":"second","shared":1}"#,
        SampleLog.next(2, "feed", at: 400, "x"),
      ], end: 1000)
    let source = LogSource(name: "x", bytes: Array(text.utf8))
    let reading = ParallelReading([source], workers: 2, rangeSize: size * 60)
    let log = try LogAnalysis.read([source], reading: reading).analysis
    #expect(log.lifecycles.map { $0.parent?.number } == [nil, 3, nil])
    #expect(log.lifecycles.map { log.observed(of: $0)?.line } == [10, 50, 50])
    #expect(log.lifecycles.map(\.isShared) == [false, false, true])
  }

  @Test("One line is one place, even if the optimizer inlines it into several functions")
  func inlined() throws {
    let lines = (1...2).flatMap { id in
      [
        #"""
        {"t":\#(id),"event":"subscribe","sub":\#(id),"lane":"observed.\#(id)","thread":1,\#
        "op":"observe","observed":"call.\#(id)"}
        """#,
        #"""
        {"t":50,"event":"place","lane":"observed.\#(id)","source":"M/F.swift:7",\#
        "function":"f\#(id)()"}
        """#,
        #"""
        {"t":50,"event":"place","lane":"call.\#(id)","source":"M/F.swift:7","function":"f\#(id)()"}
        """#,
      ]
    }
    let log = try analyze(SampleLog.make(lines, end: 1000))
    let groups = FindingGroup.groups(of: Verdict(log).findings, in: log)
    #expect(groups.map(\.findings.count) == [2])
  }
}
