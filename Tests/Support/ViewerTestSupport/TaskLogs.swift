import TestSupport

/// Logs with waits of tasks.
package enum TaskLogs {
  private static let ms = 1_000_000

  package static func begin(
    _ id: Int, _ lane: String, at time: Int, line: Int = 1, _ more: String = ""
  ) -> String {
    #"{"t":\#(time * ms),"event":"subscribe","sub":\#(id),"lane":"\#(lane)","thread":1,"#
      + #""op":"task","source":"Shop/Shop.swift:\#(line)","function":"run()","type":"-"\#(more),"#
      + #""task":\#(id + 10)}"#
  }

  /// Returns the beginning of a wait.
  package static func suspended(
    _ id: Int, _ lane: String, at time: Int, _ wait: String, line: Int? = nil,
    for awaited: [Int] = []
  ) -> String {
    let place = line.map { #","source":"Shop/Shop.swift:\#($0)","function":"run()""# } ?? ""
    let tasks = awaited.map { #"{"sub":\#($0)}"# }.joined(separator: ",")
    let awaits = awaited.isEmpty ? "" : #","awaits":[\#(tasks)]"#
    return #"{"t":\#(time * ms),"event":"suspended","sub":\#(id),"lane":"\#(lane)"\#(place),"#
      + #""wait":"\#(wait)"\#(awaits)}"#
  }

  package static func resumed(_ id: Int, _ lane: String, at time: Int) -> String {
    #"{"t":\#(time * ms),"event":"resumed","sub":\#(id),"lane":"\#(lane)"}"#
  }

  package static func end(_ event: String, _ id: Int, _ lane: String, at time: Int) -> String {
    SampleLog.end(event, id, lane, at: time * ms)
  }

  /// A server that waits for an order, whose parts wait for a group, a task, a continuation and a
  /// thread; two tasks that wait for each other; and requests that end.
  package static let shop = SampleLog.make(
    [
      #"{"t":8,"event":"thread","thread":1,"name":"main"}"#,
      begin(1, "server", at: 0, line: 10),
      begin(2, "order", at: 50, line: 20, #","parent":1"#),
      suspended(1, "server", at: 60, "group", line: 12, for: [2]),
      begin(3, "pack", at: 80, line: 30, #","parent":2"#),
      begin(4, "bill", at: 90, line: 40, #","parent":2"#),
      suspended(2, "order", at: 100, "group", line: 22, for: [3, 4]),
      suspended(3, "pack", at: 150, "continuation", line: 31),
      suspended(3, "pack", at: 250, "executor"),
      resumed(3, "pack", at: 300),
      suspended(4, "bill", at: 200, "continuation", line: 41),
      resumed(4, "bill", at: 400),
      end("completed", 4, "bill", at: 500),
      begin(5, "stock", at: 120, line: 50),
      suspended(3, "pack", at: 450, "task", line: 33, for: [5]),
      suspended(5, "stock", at: 350, "continuation", line: 55),
      begin(6, "cache.a", at: 130, line: 60),
      begin(7, "cache.b", at: 140, line: 70),
      suspended(6, "cache.a", at: 300, "task", line: 61, for: [7]),
      suspended(7, "cache.b", at: 310, "task", line: 71, for: [6]),
    ]
      + (0..<6).flatMap { number -> [String] in
        let start = 100 + number * 120
        return [
          begin(10 + number, "request", at: start, line: 80, #","parent":1"#),
          suspended(10 + number, "request", at: start + 20, "continuation", line: 81),
          resumed(10 + number, "request", at: start + 80),
          end(number % 3 == 2 ? "failed" : "completed", 10 + number, "request", at: start + 100),
        ]
      }
      // A task that runs and waits too often for the cells of a terminal.
      + [begin(20, "ticker", at: 200, line: 90)]
      + (0..<200).flatMap { number -> [String] in
        [
          suspended(20, "ticker", at: 210 + number * 3, "continuation", line: 91),
          resumed(20, "ticker", at: 211 + number * 3 + number / 100),
        ]
      })

  /// Waits whose records are damaged: one of an unknown task, one that begins twice, one that ends
  /// without having begun, one after the end of its task, one for unknown tasks, and lines in
  /// another order than their times.
  package static let damaged = SampleLog.make([
    resumed(1, "late", at: 90),
    suspended(1, "late", at: 30, "continuation", line: 3),
    begin(1, "late", at: 10, line: 1),
    resumed(2, "strange", at: 200),
    suspended(3, "twice", at: 100, "group", for: [98, 99]),
    suspended(3, "twice", at: 150, "lock"),
    suspended(3, "twice", at: 200, "task", line: 7, for: [99, 3, 1]),
    begin(4, "ended", at: 20, line: 4),
    end("completed", 4, "ended", at: 300),
    suspended(4, "ended", at: 400, "continuation"),
    begin(5, "open", at: 100, line: 5),
    suspended(5, "open", at: 200, "executor"),
    end("disposed", 5, "open", at: 600),
    #"{"t":1,"event":"suspended","lane":"nobody","wait":"task"}"#,
  ])
}
