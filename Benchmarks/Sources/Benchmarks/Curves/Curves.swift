import Foundation
import ReactiveKit
import ReactiveTrace

extension Curve {
  /// The cost of one more observation, by the number of observations that are alive.
  static func subscriptions(_ options: Options) -> Curve {
    let counts = [100, 1_000, 10_000, 100_000, 1_000_000]
    func contender(_ name: String, _ make: @escaping (Int) -> Work) -> Contender {
      var works: [Int: Work] = [:]
      return (
        name,
        { others in
          // Only one set of observations is alive at a time.
          if works[others] == nil { works = [others: make(others)] }
          return works[others].map { time($0, count: 20_000) } ?? 0
        }
      )
    }
    var contenders = [contender("ours", observingOurs)]
    #if canImport(OpenCombine)
      contenders.append(contender("OpenCombine", observingPeer))
    #endif
    return Curve(
      "subscriptions", "Make map → filter over a subject, observe, dispose",
      x: "other observers that are alive", y: "ns for each observation", at: counts, options,
      contenders)
  }

  /// The cost of recording an event, by the number of threads that record at the same time.
  static func threads(_ options: Options) -> Curve {
    let ways = [
      "lane, integers", "formatting by hand", "by hand, a buffer under a mutex",
      "interpolation, buffered fwrite",
    ].compactMap { name in TracingWay.all(with: []).first { $0.name == name } }
    return Curve(
      "threads", "Record an integer, total time",
      x: "threads", y: "ns for each event of all threads", at: [1, 2, 4, 8, 16], options,
      ways.map { way in
        (way.name, { threads in way.sample(threads: threads, events: way.events / threads) })
      })
  }

  /// The cost of recording an event, by the number of lanes that take turns.
  static func lanes(_ options: Options) -> Curve {
    Curve(
      "lanes", "Record an integer, each on the next lane",
      x: "lanes", y: "ns for each event", at: [1, 10, 100, 1_000, 10_000], options,
      [
        ("lanes", { time(sendingOverLanes($0, isTraced: true)) }),
        ("no lanes", { time(sendingOverLanes($0, isTraced: false)) }),
      ])
  }

  /// The cost of recording a string, by its size.
  static func values(_ options: Options) -> Curve {
    let sizes = [10, 100, 1_000, 10_000, 100_000]
    func way(_ name: String, _ make: @escaping (String) -> TracingWay) -> Contender {
      (
        name,
        { size in
          let text = String(String(repeating: "0123456789", count: size / 10 + 1).prefix(size))
          return make(text).sample(threads: 1, events: min(100_000, 100_000_000 / size))
        }
      )
    }
    return Curve(
      "values", "Record a string", x: "bytes", y: "ns for each event", at: sizes, options,
      [
        way("lane, at most 256 bytes of a value (default)") { .lane(of: $0, limit: 256) },
        way("lane, whole values") { .lane(of: $0, limit: .max) },
        way("interpolation, buffered fwrite", TracingWay.printing),
        way("JSONEncoder, write", TracingWay.encoding),
      ])
  }

  /// Returns the nanoseconds for each repetition.
  private static func time(_ work: Work, count: Int) -> Double {
    let start = clockNow()
    work(count)
    return Double(clockNow() - start) / Double(count)
  }

  private static func time(
    _ sending: (events: Int, run: () -> Void)
  ) -> Double {
    sending.run()
    let start = clockNow()
    sending.run()
    return Double(clockNow() - start) / Double(sending.events)
  }

  /// Returns the work of sending integers through many chains by turns.
  private static func sendingOverLanes(
    _ count: Int, isTraced: Bool
  ) -> (events: Int, run: () -> Void) {
    let path = TracingWay.path
    try? FileManager.default.removeItem(atPath: path)
    if isTraced { try? Trace.start(path) }
    let sum = Sum()
    let subjects = (0..<count).map { _ in PassthroughSubject<Int, Never>() }
    let observations = subjects.enumerated().map { index, subject in
      (isTraced ? subject.lane("section.\(index)") : subject.toSignal()).observeNext { _ in
        sum.value.pointee &+= 1
      }
    }
    let events = 300_000
    let end = AtEnd {
      for observation in observations { observation.dispose() }
      if isTraced { Trace.stop() }
      try? FileManager.default.removeItem(atPath: path)
    }
    return (
      events,
      {
        for index in 0..<events { subjects[index % count].send(index & 0xFFFF) }
        withExtendedLifetime(end) {}
      }
    )
  }

  private final class AtEnd {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    deinit { body() }
  }
}
