import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Query")
struct QueryTests {
  private func analyze(_ text: String) throws -> LogAnalysis {
    try LogAnalysis.read(LogSource(name: "x", bytes: Array(text.utf8)))
  }

  /// Returns the numbers of the subscriptions that a query selects.
  private func selected(_ query: String, in text: String) throws -> [UInt64] {
    let log = try analyze(text)
    let facts = QueryFacts(Verdict(log).findings)
    let matches = try Query(query).matches(in: log, facts)
    let hits = try Query(query).hits(in: LogExcerpt(log), facts)
    #expect(hits.members.map { Int($0) } == matches.indices.filter { matches[$0] })
    #expect(Set(hits.hits.map(\.lifecycle)) == Set(hits.members))
    return log.lifecycles.indices.filter { matches[$0] }.map { log.lifecycles[$0].id.number }
      .sorted()
  }

  @Test(
    "A query selects the subscriptions that meet its terms",
    arguments: [
      ("", [1, 2, 3, 4]), ("lane:request", [2, 3]), ("lane:re*", [1, 2, 3]),
      ("lane:request lane:settings", [2, 3, 4]), ("lane:request and lane:settings", []),
      ("lane:/^re/", [1, 2, 3]), ("lane:/RES/i", [1]),
      ("source:App/Model.swift:57", [2, 3]), ("source:App/Model.swift", [1, 2, 3, 4]),
      ("source:*.swift", [1, 2, 3, 4]), ("source:*.c", []), ("state:active", [2, 4]),
      ("state:failed state:disposed", [1, 3]), ("lane:request state:active", [2]),
      ("life>800ms", [4]), ("dur>=800ms", [1, 2, 4]), ("life<0.3s", [3]), ("dur=200ms", [3]),
      ("elements>0", [2]), ("elements=0", [1, 3, 4]), ("elements<=1", [1, 2, 3, 4]),
      ("start<0.2s start>0", [1]), ("scope:x", []), ("REQUEST", []), ("request", [2, 3]),
      ("model 57", [2, 3]), ("App/Model.swift:12", [4]), ("/57$|12$/", [2, 3, 4]),
      ("-lane:request", [1, 4]), ("!lane:request", [1, 4]), ("not request", [1, 4]),
      ("-state:active", [1, 3]), ("lane:re* -state:failed", [1, 2]), ("--request", [2, 3]),
      ("-lane:request -lane:settings", [1]), ("-life>800ms", [1, 2, 3]), ("#3", [3]),
      ("#3 id:4", [3, 4]), ("id:#2", [2]), ("-#3", [1, 2, 4]), ("#99", []),
      ("process:*", [1, 2, 3, 4]), ("process:4242", [1, 2, 3, 4]), ("process:other", []),
      ("\"-request\"", []), ("-\"request\"", [1, 4]), ("\"or\"", []),
      ("timeout", [3]), ("Timeout", [3]), ("TIMEOUT", []), ("error:timeout", [3]),
      ("value:timeout", []), ("error:/^TIME/i", [3]), ("error:/^TIME/", []), ("value:a", [2]),
      ("value:/\\[\"a\"\\]/", [2]), ("value:\"[\"", [2]), ("error:a", []),
      ("timeout or value:a", [2, 3]), ("request and (timeout or elements>0)", [2, 3]),
      ("request (timeout or elements>0) not value:a", [3]), ("not (timeout or value:a)", [1, 4]),
      ("NOT timeout AND request", [2]), ("timeout or results request", [3]),
      ("-(lane:request)", [1, 4]), ("alive:50%", [1, 2, 3, 4]), ("alive:0%", [4]),
      ("alive:650ms", [1, 2, 4]), ("alive:100%", [2, 4]), ("alive:nowhere", []),
      ("thread:main", [1, 2, 3, 4]), ("thread:2", [2]), ("thread:\"thread 2\"", [2]),
      ("not thread:2", [1, 3, 4]), ("rule:undisposed", [2]), ("has:finding", [2]),
      ("-rule:*", [1, 3, 4]), ("rule:nothing", []), ("value:/a", nil),
      ("/App\\/Model.swift:1/", [4]), ("/home/me/Model.swift", []),
    ] as [(String, [UInt64]?)])
  func selects(query: String, numbers: [UInt64]?) throws {
    guard let numbers else {
      #expect(throws: QueryError.self) { try Query(query) }
      return
    }
    #expect(try selected(query, in: SampleLog.leak) == numbers)
  }

  @Test("A word may have pairs of parentheses, also in a group")
  func parentheses() throws {
    let log = SampleLog.make([
      SampleLog.subscribe(1, "(no lane)", at: 1), SampleLog.subscribe(2, "call(x:)", at: 2),
      SampleLog.subscribe(3, "other", at: 3),
    ])
    #expect(try selected("call(x:)", in: log) == [2])
    #expect(try selected("(call(x:) or other)", in: log) == [2, 3])
    #expect(try selected("lane:\"(no lane)\"", in: log) == [1])
    #expect(Query.quoted("(no lane)") == "\"(no lane)\"")
    for name in ["and", "-x", "#3", "two words", "/x", ""] {
      #expect(Query.quoted(name) == "\"\(name)\"")
    }
    #expect(Query.quoted("search.query") == "search.query")
  }

  @Test("A scope is found by its name, by a pattern, and by its number")
  func scopes() throws {
    let log = SampleLog.make([
      #"{"t":1,"event":"scope-begin","scope":1,"name":"Search screen"}"#,
      SampleLog.subscribe(1, "a", at: 2, #","scope":1"#), SampleLog.subscribe(2, "b", at: 3),
    ])
    for query in ["scope:\"Search screen\"", "scope:\"Search *\"", "scope:1", "scope:/^Sea/"] {
      #expect(try selected(query, in: log) == [1], "\(query)")
    }
    #expect(try selected("-scope:1", in: log) == [2])
  }

  @Test("The moment of `alive:` may be a mark")
  func marks() throws {
    let log = SampleLog.make([
      SampleLog.subscribe(1, "a", at: 1), SampleLog.end("completed", 1, "a", at: 4),
      #"{"t":5,"event":"mark","name":"second half"}"#, SampleLog.subscribe(2, "b", at: 5),
      SampleLog.subscribe(3, "b", at: 6),
    ])
    #expect(try selected("alive:\"second half\"", in: log) == [2])
    #expect(try selected("alive:4ns", in: log) == [])
  }

  @Test("Negated terms look at all events, and hits are events of other terms")
  func hits() throws {
    let log = try analyze(
      SampleLog.make([
        SampleLog.subscribe(1, "a", at: 1), SampleLog.next(1, "a", at: 2, "found"),
        SampleLog.next(1, "a", at: 3, "found again"), SampleLog.next(1, "a", at: 4, "other"),
        SampleLog.subscribe(2, "b", at: 5), SampleLog.next(2, "b", at: 6, "found"),
        SampleLog.next(2, "b", at: 7, "bad"), SampleLog.subscribe(3, "c", at: 8),
      ]))
    func hits(_ query: String, _ excerpt: LogExcerpt) throws -> [UInt64] {
      try Query(query).hits(in: excerpt, QueryFacts()).hits.map(\.time.count).sorted()
    }
    let all = LogExcerpt(log)
    #expect(try hits("found", all) == [2, 3, 6])
    #expect(try hits("found", LogExcerpt(log) { $0 == 1 }) == [6])
    #expect(try hits("found -bad", all) == [2, 3])
    #expect(try hits("lane:a", all) == [1])
    #expect(try hits("not bad", all) == [1, 8])
    #expect(try hits("found or lane:c", all) == [2, 3, 6, 8])
    #expect(try hits("lane:a found", all) == [2, 3])
    #expect(try hits("other or value:/^found$/", all) == [2, 4, 6])
  }

  @Test("A search that nobody wants any more stops")
  func stops() throws {
    let log = try analyze(SampleLog.leak)
    let found = try Query("timeout").hits(
      in: LogExcerpt(log), QueryFacts(), isWanted: { false })
    #expect(found.members.isEmpty)
  }

  @Test(
    "A problem of a query has its kind and its place",
    arguments: [
      ("state:busy", .unknownState("busy"), 6), ("lane:", .missingValue(name: "lane:"), 0),
      ("a lane: b", .missingValue(name: "lane:"), 2),
      ("x color:red", .unknownName("color:"), 2), ("gap>100us", .unknownName("gap>"), 0),
      ("life>soon", .notATime("soon", name: "life"), 5),
      ("elements>many", .notANumber("many", name: "elements"), 9),
      ("elements>", .notANumber("", name: "elements"), 9),
      ("elements>-1", .notANumber("-1", name: "elements"), 9),
      ("a -", .missingTerm(after: "-"), 2), ("a and", .missingTerm(after: "and"), 2),
      ("or a", .missingTerm(after: "or"), 0), ("not", .missingTerm(after: "not"), 0),
      ("(a or )", .missingTerm(after: "or"), 3), ("id:x", .notANumber("x", name: "id:"), 3),
      ("has:luck", .unknownFeature("luck"), 4), ("-state:busy", .unknownState("busy"), 7),
      ("alive:101%", .emptyMoment("101%"), 6), ("a /b", .openPattern, 2),
      ("value:/b", .openPattern, 6), ("a (b", .openGroup, 2), ("()", .emptyGroup, 0),
      ("a )", .strayParenthesis, 2), ("a)", .strayParenthesis, 1),
      (String(repeating: "(", count: 60) + "a", .tooDeep, 50),
      (String(repeating: "-", count: 60) + "a", .tooDeep, 50),
      ((1...17).map { "a\($0)" }.joined(separator: " "), .tooManyTexts, 0),
    ] as [(String, QueryError.Kind, Int)])
  func problems(text: String, kind: QueryError.Kind, offset: Int) {
    #expect(throws: QueryError(kind: kind, offset: offset)) { try Query(text) }
  }

  @Test("A wrong regular expression is a problem at its place")
  func wrongPattern() {
    do throws(QueryError) {
      _ = try Query("a value:/(/")
      Issue.record("The query is accepted.")
    } catch {
      guard case .wrongPattern("(", _) = error.kind else {
        Issue.record("\(error)")
        return
      }
      #expect(error.offset == 8)
    }
  }

  @Test("Words that only look like names or comparisons are text")
  func words() throws {
    for text in ["duration", "started", "Model.swift:42", "Array<Int>", "x->y", "a=b"] {
      #expect(try Query(text).root == .term(.text(.text(SearchText(text)))), "\(text)")
    }
  }

  @Test("Only spaces are an empty query, and only terms about events need events")
  func needs() throws {
    #expect(try Query("").isEmpty && Query("   ").isEmpty && !Query("a").isEmpty)
    for text in ["a", "/a/", "value:x", "error:x", "not thread:1"] {
      #expect(try Query(text).needsEvents, "\(text)")
    }
    #expect(try !Query("lane:x life>1s alive:3% rule:a").needsEvents)
  }

  @Test("The value of an option is text with spaces, or a regular expression")
  func values() throws {
    #expect(try Query.value("two words") == .text(SearchText("two words")))
    #expect(try Query.value("/a b/i") == .regex(ElementPattern("a b", ignoresCase: true)))
    #expect(try Query.value("/home/x") == .text(SearchText("/home/x")))
    #expect(throws: QueryError.self) { try Query.value("/a") }
  }
}
