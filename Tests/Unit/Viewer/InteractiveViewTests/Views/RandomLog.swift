import TestSupport

@testable import TraceAnalysis
@testable import TraceFormat

/// A log of random subscriptions, together with the facts about them.
struct RandomLog {
  struct Life {
    let id: Int
    let lane: String
    let start: UInt64
    /// The time of the end, and its event in the log.
    var end: (time: UInt64, event: String)?
    var elements: [UInt64] = []
  }

  private(set) var lives: [Life] = []
  /// The last time of the log.
  let last: UInt64

  /// - Parameters:
  ///
  ///   - times: The range of all times.
  ///
  ///   - longest: The maximum lifetime.
  init(
    _ random: inout FixedNumbers, lives count: Int, lanes: Int, times: ClosedRange<UInt64>,
    longest: UInt64
  ) {
    last = times.upperBound
    for id in 1...count {
      let start = UInt64.random(in: times, using: &random)
      let room = min(longest, last - start)
      var life = Life(
        id: id, lane: "lane \(Int.random(in: 0..<lanes, using: &random))", start: start)
      // Some subscriptions have no duration, and some never end.
      let length =
        Int.random(in: 0..<6, using: &random) == 0 ? 0 : UInt64.random(in: 0...room, using: &random)
      if Int.random(in: 0..<12, using: &random) > 0 {
        let events = ["completed", "completed", "disposed", "failed", "released"]
        life.end = (start + length, events.randomElement(using: &random) ?? "completed")
      }
      let end = life.end?.time ?? last
      let maxCount = [0, 1, 3, 40].randomElement(using: &random) ?? 0
      for _ in 0..<maxCount { life.elements.append(UInt64.random(in: start...end, using: &random)) }
      life.elements.sort()
      lives.append(life)
    }
  }

  init(_ lives: [Life], last: UInt64) {
    self.lives = lives
    self.last = last
  }

  var text: String {
    var lines: [(time: UInt64, rank: Int, text: String)] = []
    for life in lives {
      func add(_ rank: Int, _ event: String, _ time: UInt64, _ more: String) {
        lines.append(
          (
            time, rank,
            #"""
            {"t":\#(time),"event":"\#(event)","sub":\#(life.id),"lane":"\#(life.lane)",\#
            \#(more)"thread":1}
            """#
          ))
      }
      add(0, "subscribe", life.start, #""source":"App/Model.swift:1","#)
      for element in life.elements { add(1, "next", element, #""value":"x","#) }
      if let end = life.end { add(2, end.event, end.time, "") }
    }
    let sorted = lines.enumerated().sorted {
      ($0.element.time, $0.element.rank, $0.offset) < ($1.element.time, $1.element.rank, $1.offset)
    }.map(\.element.text)
    let header = #"{"t":0,"event":"trace","version":1,"trace":"1","process":"random","pid":1}"#
    let end = #"{"t":\#(last),"event":"end","records":\#(sorted.count + 1),"lost":0}"#
    return ([header] + sorted + [end]).map { $0 + "\n" }.joined()
  }

  /// Returns the lifetimes of some of the viewer's subscriptions. IDs count from 1.
  func lives(of members: some Collection<Int>, in log: LogAnalysis) -> [Life] {
    members.map { lives[Int(log.lifecycles[$0].id.number) - 1] }
  }
}
