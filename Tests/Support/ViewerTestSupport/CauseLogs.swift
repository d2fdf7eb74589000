import TestSupport

/// Logs with the reasons why subscriptions are still alive.
package enum CauseLogs {
  private static let ms = 1_000_000

  package static let closure = RetainedLog.closure(
    "SearchScreen", at: "SearchSample/SearchScreen.swift:26")
  package static let bag = RetainedLog.field(
    "SearchScreen", "bag", "DisposeBag", "bag", at: "SearchSample/SearchScreen.swift:18")

  /// Returns the record that says why a subscription is alive.
  package static func retained(
    _ id: Int, _ lane: String, _ kind: String = "cycle", _ steps: [String] = [], tail: Int = 0,
    proof: String = "certain", _ more: String = "", at time: Int = 990 * ms
  ) -> String {
    #"{"t":\#(time),"event":"retained","sub":\#(id),"lane":"\#(lane)","kind":"\#(kind)","#
      + #""proof":"\#(proof)","steps":[\#(steps.joined(separator: ","))],"tail":\#(tail)\#(more)}"#
  }

  package static func place(_ name: String, _ source: String, _ function: String) -> String {
    #"{"t":995000000,"event":"place","lane":"\#(name)","source":"\#(source)","#
      + #""function":"\#(function)"}"#
  }

  /// Returns the subscriptions of a search screen: a root and two upstream subscriptions.
  package static func screen(_ first: Int, at time: Int) -> [String] {
    let observed = #","observed":"call.1""#
    return [
      SampleLog.subscribe(first, "search.results", at: time, line: 50, observed),
      SampleLog.subscribe(
        first + 1, "search.query", at: time, line: 39, #","parent":\#(first)\#(observed)"#),
      SampleLog.subscribe(
        first + 2, "search.keystrokes", at: time, line: 36,
        #","parent":\#(first + 1)\#(observed)"#),
    ]
  }

  private static let place1 = place(
    "call.1", "SearchSample/SearchScreen.swift:26", "SearchScreen.init(api:)")

  private static func cycle(_ id: Int) -> String {
    retained(
      id, "search.results", "cycle",
      [closure, bag, RetainedLog.subscription("search.results", id)],
      #","break":0,"owner":"bag""#)
  }

  /// Two screens that are each in a retain cycle, a feed that a global retains, and a download
  /// whose disposable was discarded.
  package static let leak = SampleLog.make(
    screen(1, at: 100 * ms) + screen(4, at: 400 * ms) + [
      SampleLog.next(2, "search.query", at: 300 * ms, "swift"),
      SampleLog.subscribe(7, "feed.rows", at: 500 * ms, line: 9, #","observed":"call.2""#),
      SampleLog.subscribe(8, "download", at: 600 * ms, line: 12, #","observed":"call.3""#),
      SampleLog.subscribe(9, "harmless", at: 700 * ms, line: 70, #","observed":"call.2""#),
      SampleLog.end("completed", 9, "harmless", at: 800 * ms),
      cycle(1), cycle(4),
      retained(
        7, "feed.rows", "path",
        [
          #"{"kind":"global","name":"cache","at":"App/Cache.swift:9"}"#,
          RetainedLog.field("Cache", "feeds", "[String: Feed]", "collection"),
          RetainedLog.field("Feed", "bag", "DisposeBag", "bag", at: "App/Feed.swift:3"),
          RetainedLog.subscription("feed.rows", 7),
        ], #","break":1"#),
      retained(8, "download", "none", [], #","owner":"nobody","searched":12582912"#),
      place1, place("call.2", "App/Feed.swift:12", "Feed.load()"),
      place("call.3", "App/Download.swift:12", "Download.start()"),
    ])

  /// A screen whose subscription isn't on the cycle that retains it.
  package static let tail = SampleLog.make(
    screen(1, at: 100 * ms) + [
      retained(
        1, "search.results", "cycle",
        [
          closure, bag, RetainedLog.field("SearchScreen", "rows", "[Row]", "collection"),
          RetainedLog.field("Row", "player", "Player", "reference", at: "App/Row.swift:4"),
          RetainedLog.field("Player", "bag", "DisposeBag", "bag"),
          RetainedLog.subscription("search.results", 1),
        ], tail: 3, #","break":0,"owner":"bag""#), place1,
    ])

  /// Returns a log of a subscription in a long cycle, with one step to break.
  package static func long(_ count: Int, breaking: Int) -> String {
    let steps = (0..<count).map {
      RetainedLog.field(
        "Node\($0)", "next", "Node\($0 + 1)?", "optional-reference", at: "App/Node.swift:\($0 + 1)")
    }
    return SampleLog.make([
      SampleLog.subscribe(1, "nodes", at: 100 * ms, #","observed":"App/Node.swift:7""#),
      retained(
        1, "nodes", "cycle", steps, tail: 5, proof: "probable", #","break":\#(breaking)"#),
    ])
  }

  /// The hostile strings with JSON escapes.
  package static let hostileTexts =
    HostileLog.texts + [
      "</script><img src=x onerror=alert(1)>", "../../etc/passwd:1", "[31m",
      "x:99999999999999999999",
    ]

  /// Steps and sites of hostile text, which are parts of sentences.
  package static let hostile: String = {
    let texts = hostileTexts
    let steps = texts.indices.map { index in
      RetainedLog.field(
        texts[index], texts[(index + 3) % texts.count], texts[(index + 5) % texts.count],
        "closure", at: texts[(index + 9) % texts.count])
    }
    let all = hostileTexts.joined()
    return SampleLog.make([
      SampleLog.subscribe(1, "a", at: 1, #","observed":"call.1""#),
      SampleLog.subscribe(2, "b", at: 1, #","parent":1,"observed":"call.1""#),
      SampleLog.subscribe(3, "c", at: 1, line: 43, #","observed":"nowhere.1""#),
      retained(1, "a", "cycle", steps, tail: 2, #","break":3,"owner":"bag""#),
      retained(3, "c", "cycle", [], #","break":7,"owner":"\#(all)""#),
      #"{"t":5,"event":"place","lane":"call.1","source":"\#(all):7","function":"\#(all)"}"#,
    ])
  }()

  /// Returns a log that is still being written.
  package static func growing(_ count: Int) -> String {
    let lines =
      [SampleLog.header] + screen(1, at: 100 * ms)
      + (0..<count).map { SampleLog.next(2, "search.query", at: (200 + $0) * ms, "\($0)") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns the same log after its process was asked what is alive, so that cycles are proven
  /// while it runs.
  package static func growing(_ count: Int, proven ids: [Int]) -> String {
    growing(count)
      + (ids.contains(4) ? screen(4, at: 700 * ms) : []).map { $0 + "\n" }.joined()
      + ids.map { cycle($0) + "\n" }.joined()
  }
}
