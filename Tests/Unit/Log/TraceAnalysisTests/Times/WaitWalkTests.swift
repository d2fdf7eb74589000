import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Waits of a task, from its changes")
struct WaitWalkTests {
  private func wait(_ time: UInt64, _ wait: UnfinishedTask.Wait? = .continuation) -> WaitChange {
    WaitChange(wait, at: Nanoseconds(time))
  }

  private func resumed(_ time: UInt64) -> WaitChange { WaitChange(resumedAt: Nanoseconds(time)) }

  /// Returns what the task does until 100, such as `-20 continuation-50 -100`.
  private func walk(_ changes: [WaitChange]) -> String {
    var walk = WaitWalk(from: 0)
    var parts: [String] = []
    func visit(_ from: UInt64, _ to: UInt64, _ wait: WaitChange?) {
      parts.append("\(wait.map { $0.wait?.rawValue ?? "unknown" } ?? "runs") \(from)-\(to)")
    }
    for change in changes.sorted(by: { $0.number < $1.number }) { walk.take(change, visit) }
    walk.end(at: 100, visit)
    return parts.joined(separator: ", ")
  }

  @Test("A change has its time and its kind")
  func changes() {
    for time: UInt64 in [0, 1, 1 << 40, WaitChange.maxTime] {
      #expect(!resumed(time).isWait)
      #expect(resumed(time).time == time)
      for kind in [nil, .task, .group, .continuation, .executor] as [UnfinishedTask.Wait?] {
        #expect(wait(time, kind).isWait)
        #expect(wait(time, kind).wait == kind)
        #expect(wait(time, kind).time == time)
      }
    }
    #expect(wait(.max).time == WaitChange.maxTime)
  }

  @Test("A task runs until it waits, and from the end of a wait")
  func usual() {
    #expect(walk([]) == "runs 0-100")
    #expect(
      walk([wait(20), resumed(50), wait(60, .task), resumed(70)])
        == "runs 0-20, continuation 20-50, runs 50-60, task 60-70, runs 70-100")
  }

  @Test("A wait without an end lasts until the task ends")
  func open() {
    #expect(walk([wait(20, .group)]) == "runs 0-20, group 20-100")
    #expect(walk([wait(0, nil)]) == "unknown 0-100")
  }

  @Test("A task that waits twice in a row waits for the latter from then on")
  func twice() {
    #expect(
      walk([wait(20), wait(50, .executor), resumed(60)])
        == "runs 0-20, continuation 20-50, executor 50-60, runs 60-100")
  }

  @Test("A task that can run again without having waited runs")
  func unexpectedEnd() {
    #expect(
      walk([resumed(10), resumed(20), wait(30), resumed(40)])
        == "runs 0-30, continuation 30-40, runs 40-100")
  }

  @Test("A wait that ends when it begins isn't a wait, and one can begin when another ends")
  func sameTime() {
    #expect(walk([wait(20), resumed(20)]) == "runs 0-100")
    #expect(
      walk([wait(20), resumed(50), wait(50, .task)])
        == "runs 0-20, continuation 20-50, task 50-100")
    #expect(walk([wait(20), wait(20, .task), resumed(30)]) == "runs 0-20, task 20-30, runs 30-100")
  }

  @Test("A wait after the end of the task isn't visited")
  func late() {
    #expect(walk([wait(120), resumed(150)]).hasPrefix("runs 0-120"))
  }
}
