import Dispatch
import Foundation
import HeapCounter
import ReactiveKit
import ReactiveTrace

/// The cost of recording an event for the caller, compared with other ways to write a record.
struct TracingReport {
  private struct Line {
    let way: TracingWay
    /// Medians of the total time for each event, in nanoseconds, for each number of threads.
    let times: [Double]
    let allocations: Double?
    /// The time of `String(describing:)` for the same element.
    let describing: Double?

    var one: Double { times[0] }
    var two: Double { times[1] }
    var four: Double { times[2] }
  }

  private let options: Options
  private let path = TracingWay.path

  init(_ options: Options) { self.options = options }

  func print() {
    let others = options.writers.map { OtherWriterProgram(program: $0).ways } ?? []
    let ways = TracingWay.all(with: others).filter {
      options.filter.isEmpty || $0.name.contains(options.filter) || $0.name == "no lane"
    }
    let lines = ways.map { way in
      FileHandle.standardError.write(Data("\(way.name)\n".utf8))
      return Line(
        way: way, times: Self.threads.map { median(way, threads: $0) },
        allocations: way.kind == .ours ? allocations(way) : nil, describing: describing(way))
    }
    let percentiles = percentiles()
    try? FileManager.default.removeItem(atPath: path)
    let table = table(lines)
    if options.printsMarkdown {
      Swift.print(
        "# Tracing: results of one run\n\n\(describeMachine()). \(options.samples) samples."
          + "\(TracingWay.leftOut)\n")
      Swift.print(markdown(table), "\n\n" + Self.legend + "\n")
    } else {
      Swift.print(aligned(table), "\n\n" + Self.legend + TracingWay.leftOut + "\n")
    }
    for line in goals(lines, percentiles) { Swift.print("- \(line)") }
    let texts = texts(lines)
    if texts.count > 1 {
      Swift.print(
        "\nThe text of an element, compared with `String(describing:)` of the element:\n")
      Swift.print(options.printsMarkdown ? markdown(texts) : aligned(texts))
    }
  }

  private static let legend = """
    Figures are nanoseconds for each event, as medians. [README.md](README.md#tracing) explains the
    columns.
    """

  private static let threads = [1, 2, 4]

  private func table(_ lines: [Line]) -> [[String]] {
    let bare = lines.first { $0.way.name == "no lane" }
    let rows = lines.map { line in
      let isLane = line.way.kind == .ours && line.way.name != "no lane"
      return [line.way.name] + line.times.map { number($0) } + [
        isLane ? number(max(0, line.one - (bare?.one ?? 0))) : "",
        line.allocations.map { String(format: "%.1f", $0) } ?? "",
      ]
    }
    return [["way", "1 thread", "2 threads", "4 threads", "of the lane", "allocs"]] + rows
  }

  private func texts(_ lines: [Line]) -> [[String]] {
    let bare = lines.first { $0.way.name == "no lane" }?.one ?? 0
    let rows = lines.compactMap { line -> [String]? in
      guard let describing = line.describing else { return nil }
      let share = max(0, line.one - bare) / describing
      return [
        line.way.name, number(max(0, line.one - bare)), number(describing),
        String(format: "%.2f", share),
      ]
    }
    return [["element", "of the lane", "String(describing:)", "share"]] + rows
  }

  private func describing(_ way: TracingWay) -> Double? {
    guard let describe = way.describe, way.name != "lane, off" else { return nil }
    let count = 20_000
    var length = describe(1000)
    let samples = (0..<options.samples).map { _ in
      let start = clockNow()
      length &+= describe(count)
      return Double(clockNow() - start) / Double(count)
    }
    precondition(length > 0)
    return samples.sorted()[samples.count / 2]
  }

  private func number(_ value: Double) -> String {
    String(format: value < 10 ? "%.1f" : "%.0f", value)
  }

  private func goals(_ lines: [Line], _ percentiles: [(share: Double, nanoseconds: Int)])
    -> [String]
  {
    func line(_ name: String) -> Line? { lines.first { $0.way.name == name } }
    guard let strings = line("lane, strings of 10"), let integers = line("lane, integers"),
      let off = line("lane, off"), let bare = line("no lane"), let clock = line("the clock")
    else { return [] }
    let best = min(strings.one, integers.one) - bare.one
    let rate = 1000 / min(strings.four, integers.four)
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let gain = integers.one / (cores >= 4 ? integers.four : integers.two)
    let wantedGain = cores >= 4 ? 3.2 : 1.8
    // The goals come from a machine on which the clock takes 23 ns.
    let scale = clock.one / 23
    func verdict(_ isMet: Bool) -> String { isMet ? "met" : "missed" }
    let alternatives = lines.filter { $0.way.kind == .alternative }.map { other in
      "\(other.way.name) \(String(format: "%.1f", other.one / integers.one))x and "
        + "\(String(format: "%.1f", other.four / integers.four))x"
    }
    return [
      "On one thread, a lane costs at most 80 ns for each event if the clock takes 23 ns: "
        + "\(verdict(best / scale <= 80)). Here, the lane costs \(number(best)) ns and the clock "
        + "takes \(number(clock.one)) ns, which corresponds to \(number(best / scale)) ns.",
      "4 threads send and record at least 20 million events a second if the clock takes 23 ns: "
        + "\(verdict(rate * scale >= 20)). Here, they record \(String(format: "%.1f", rate)) "
        + "million, which corresponds to \(String(format: "%.1f", rate * scale)) million.",
      "On \(min(cores, 4)) cores, as many threads record at least "
        + "\(wantedGain) times as many integers as one: \(verdict(gain >= wantedGain)). They "
        + "record \(String(format: "%.1f", gain)) times as many.",
      "With tracing off, an element costs at most 2 ns: \(verdict(off.one - bare.one <= 2)). "
        + "It costs \(number(max(0, off.one - bare.one))) ns.",
      "99.9 of 100 events take less than 1 µs: "
        + verdict((percentiles.first { $0.share == 99.9 }?.nanoseconds ?? .max) < 1000) + ". "
        + percentiles.map { "\($0.share) % take at most \($0.nanoseconds) ns" }
        .joined(separator: ", ") + ".",
      "Other ways take this many times as long as a lane of integers, on one thread and on four: "
        + alternatives.joined(separator: "; "),
    ]
  }

  private func median(_ way: TracingWay, threads: Int) -> Double {
    Benchmarks.median(
      (0..<options.samples).map { _ in
        way.sample(threads: threads, events: way.events)
      }) ?? 0
  }

  private func allocations(_ way: TracingWay) -> Double? {
    try? FileManager.default.removeItem(atPath: path)
    let writer = way.make(path)(1)
    defer { way.end() }
    writer(1000)
    heap_counting(1)
    let before = heap_allocations()
    writer(1000)
    let count = heap_allocations() - before
    heap_counting(0)
    return before < 0 ? nil : Double(count) / 1000
  }

  /// Returns percentiles of single events, including the slow path, without the time of the clock.
  private func percentiles() -> [(share: Double, nanoseconds: Int)] {
    try? FileManager.default.removeItem(atPath: path)
    guard (try? Trace.start(path)) != nil else { return [] }
    defer { Trace.stop() }
    let subject = PassthroughSubject<Int, Never>()
    let disposable = subject.lane(tracedLane).observeNext { _ in }
    defer { disposable.dispose() }
    for index in 0..<20_000 { subject.send(index) }
    var times = [Int](repeating: 0, count: 1_000_000)
    var clocks = [Int](repeating: 0, count: 10_000)
    for index in clocks.indices {
      let start = clockNow()
      clocks[index] = clockNow() - start
    }
    let clock = clocks.sorted()[clocks.count / 2]
    for index in times.indices {
      let start = clockNow()
      subject.send(index)
      times[index] = clockNow() - start - clock
    }
    times.sort()
    return [50, 99, 99.9, 99.99].map { share in
      (share, times[min(times.count - 1, Int(Double(times.count) * share / 100))])
    }
  }
}
