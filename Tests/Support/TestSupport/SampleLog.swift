/// Small logs in the form that a recorder writes.
package enum SampleLog {
  /// The first line of a log, with every key of the format.
  package static let header = """
    {"t":0,"event":"trace","version":1,"trace":"9f0c2d4e8b7a61530f1e2d3c4b5a6978",\
    "process":"search-sample","pid":4242,"host":"ci-7","started":"2026-11-20T23:48:50.123456789Z",\
    "recorder":"0.1.0","sub":0,"lane":"-","value":"-","truncated":0,"error":"-","thread":0,\
    "op":"-","source":"-","function":"-","type":"-","parent":0,"cause":0,"scope":0,"lifetime":"-",\
    "name":"-","count":0,"reason":"-","on":"-","records":0,"lost":0}
    """

  /// Returns a log of the lines, with a header before them and the correct `end` after them.
  package static func make(_ lines: [String], end: Int? = nil) -> String {
    let time = end ?? 1_000_000_000
    let last = #"{"t":\#(time),"event":"end","records":\#(lines.count + 1),"lost":0}"#
    return ([header] + lines + [last]).map { $0 + "\n" }.joined()
  }

  package static func subscribe(
    _ id: Int, _ lane: String, at time: Int, line: Int = 42, _ more: String = ""
  ) -> String {
    #"{"t":\#(time),"event":"subscribe","sub":\#(id),"lane":"\#(lane)","thread":1,"op":"lane","#
      + #""source":"App/Model.swift:\#(line)","function":"bind()","type":"Int"\#(more)}"#
  }

  package static func next(_ id: Int, _ lane: String, at time: Int, _ value: String) -> String {
    #"{"t":\#(time),"event":"next","sub":\#(id),"lane":"\#(lane)","value":"\#(value)","thread":2}"#
  }

  package static func end(_ event: String, _ id: Int, _ lane: String, at time: Int) -> String {
    let error = event == "failed" ? #""error":"Timeout()","# : ""
    return #"{"t":\#(time),"event":"\#(event)","sub":\#(id),"lane":"\#(lane)",\#(error)"thread":1}"#
  }

  /// Returns the record that a subscription observes the same source as an earlier one.
  package static func twin(_ id: Int, _ lane: String, of other: Int, at time: Int) -> String {
    #"{"t":\#(time),"event":"changed","sub":\#(id),"lane":"\#(lane)","twin":\#(other)}"#
  }

  private static let ms = 1_000_000

  /// A log in which every subscription ends.
  package static let clean = make([
    #"{"t":8,"event":"thread","thread":1,"name":"main"}"#,
    subscribe(1, "results", at: 100 * ms),
    subscribe(2, "request", at: 200 * ms, line: 57, #","parent":1"#),
    next(2, "request", at: 300 * ms, "a"),
    end("completed", 2, "request", at: 400 * ms),
    next(1, "results", at: 500 * ms, "[a]"),
    end("disposed", 1, "results", at: 900 * ms),
  ])

  /// A log with a request that was never disposed, one that failed, and settings that live until
  /// exit.
  package static let leak = make([
    #"{"t":8,"event":"thread","thread":1,"name":"main"}"#,
    subscribe(4, "settings", at: 0, line: 12, #","lifetime":"process""#),
    subscribe(1, "results", at: 100 * ms),
    subscribe(2, "request", at: 200 * ms, line: 57, #","parent":1"#),
    next(2, "request", at: 300 * ms, #"[\"a\"]"#),
    subscribe(3, "request", at: 400 * ms, line: 57, #","parent":1"#),
    end("failed", 3, "request", at: 600 * ms),
    end("disposed", 1, "results", at: 900 * ms),
  ])

  /// Returns the log as another process would have written it, `secondsLater` seconds later.
  package static func ofAnother(_ log: String, process: Int, secondsLater: Int = 0) -> String {
    let digits = String(process, radix: 16)
    let trace = String(repeating: "0", count: 32 - digits.count) + digits
    return log.split(separator: "9f0c2d4e8b7a61530f1e2d3c4b5a6978").joined(separator: trace)
      .split(separator: "\"pid\":4242").joined(separator: "\"pid\":\(process)")
      .split(separator: "23:48:50.").joined(separator: "23:48:\(50 + secondsLater).")
  }

  /// The log `leak` of a process that was killed.
  package static let died = leak.split(separator: "\n").dropLast().map { $0 + "\n" }.joined()
}
