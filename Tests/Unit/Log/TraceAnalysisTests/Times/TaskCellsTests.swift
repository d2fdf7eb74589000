import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("The cells of a task")
struct TaskCellsTests {
  private func changes(_ list: [WaitChange]) -> WaitChanges {
    var times = WaitTimes()
    for (line, change) in list.enumerated() {
      times.note(
        change, of: SubscriptionID(known: 1),
        TraceRecord.Location(line: line + 1, offset: line * 50, length: 49))
    }
    return times.finished.changes(of: 1)
  }

  private func cells(
    _ list: [WaitChange], life: Range<UInt64> = 0..<100, columns: Int = 10, end: UInt64 = 100
  ) -> [TaskCell] {
    let scale = TimeScale(duration: Nanoseconds(end), columns: columns)
    return TaskCells(changes(list), ScaleColumns(scale, offset: 0), life: life)
      .cells(
        scale.column(
          of: Nanoseconds(life.lowerBound))...scale.column(of: Nanoseconds(life.upperBound)))
  }

  private func wait(_ time: UInt64, _ wait: UnfinishedTask.Wait? = .continuation) -> WaitChange {
    WaitChange(wait, at: Nanoseconds(time))
  }

  private func resumed(_ time: UInt64) -> WaitChange { WaitChange(resumedAt: Nanoseconds(time)) }

  @Test("A cell shows what the task does in most of its time")
  func most() {
    #expect(
      cells([wait(20), resumed(43), wait(58, .task), resumed(80)]) == [
        .runs, .runs, .waits(.continuation), .waits(.continuation), .runs, .runs, .waits(.task),
        .waits(.task), .runs, .runs,
      ])
  }

  @Test("A wait lasts until the end of the task, and no longer")
  func end() {
    #expect(
      cells([wait(10)], life: 0..<30) == [
        .runs, .waits(.continuation), .waits(.continuation), .waits(.continuation),
      ])
    #expect(cells([], life: 0..<15) == [.runs, .runs])
  }

  @Test("A cell in which the task runs and waits several times shows how much it runs")
  func mixed() {
    let list = (0..<50).flatMap { [wait($0 * 2), resumed($0 * 2 + 1)] }
    #expect(
      cells(list, columns: 5).dropLast() == Array(repeating: .mixed(percent: 50), count: 4)[...])
    #expect(cells([wait(0), resumed(42), wait(44)])[4] == .mixed(percent: 20))
    #expect(cells([wait(44), resumed(45)], columns: 1) == [.runs])
  }

  @Test("A cell without any time shows the state at its time")
  func narrow() {
    #expect(cells([wait(2, .group)], life: 0..<4, columns: 100, end: 4).last == .waits(.group))
    #expect(cells([], life: 0..<4, columns: 100, end: 4) == Array(repeating: .runs, count: 100))
    #expect(cells([wait(0)], life: 0..<0, columns: 1, end: 0) == [.waits(.continuation)])
  }

  @Test(
    "Cells agree with a look at each nanosecond", arguments: 0..<40 as Range<UInt64>)
  func naive(seed: UInt64) {
    var numbers = FixedNumbers(seed: seed)
    let kinds: [UnfinishedTask.Wait?] = [nil, .continuation, .task, .group, .executor]
    let list = (0..<Int.random(in: 0...30, using: &numbers)).map { _ in
      let time = UInt64.random(in: 0..<400, using: &numbers)
      return Bool.random(using: &numbers)
        ? resumed(time) : wait(time, kinds.randomElement(using: &numbers) ?? nil)
    }
    let start = UInt64.random(in: 0..<200, using: &numbers)
    let life = start..<(start + UInt64.random(in: 1..<200, using: &numbers))
    let columns = Int.random(in: 1...60, using: &numbers)
    let scale = TimeScale(duration: Nanoseconds(400), columns: columns)
    let found = cells(list, life: life, columns: columns, end: 400)
    let first = scale.column(of: Nanoseconds(life.lowerBound))
    for (offset, cell) in found.enumerated() {
      let from = max(life.lowerBound, scale.start(of: first + offset).count)
      let to = min(life.upperBound, scale.start(of: first + offset + 1).count)
      let states = from < to ? (from..<to).map { state(of: list, at: $0) } : []
      let runs = states.count { $0 == nil }
      switch cell {
      case .runs: #expect(states.isEmpty || runs * 2 >= states.count)
      case .mixed(let percent): #expect(percent == runs * 100 / max(1, states.count))
      case .waits(let wait):
        let same = states.count { $0 == .some(wait) }
        #expect(states.isEmpty || (runs * 2 < states.count && same > 0))
        for kind in kinds { #expect(same >= states.count { $0 == .some(kind) }) }
      }
    }
  }

  /// Returns what the task waits for at a time; nil if it runs.
  private func state(of list: [WaitChange], at time: UInt64) -> UnfinishedTask.Wait?? {
    var state: UnfinishedTask.Wait?? = nil
    for moment in Set(list.map(\.time)).sorted() where moment <= time {
      let here = list.filter { $0.time == moment }.sorted { $0.number < $1.number }
      let ends = here.contains { !$0.isWait }
      let waits = here.filter(\.isWait)
      guard let last = waits.last else {
        state = nil
        continue
      }
      // A wait of a task that ran ends when it begins.
      if state == nil, ends, waits.count == 1 { continue }
      state = .some(last.wait)
    }
    return state
  }

  @Test("Samples of very many waits show how much the task runs")
  func samples() {
    let list = (0..<10_000).flatMap { [wait($0 * 10), resumed($0 * 10 + 7)] }
    let cells = cells(list, life: 0..<100_000, columns: 8, end: 100_000)
    for cell in cells {
      guard case .mixed(let percent) = cell else { Issue.record("\(cell)"); continue }
      #expect((25...35).contains(percent))
    }
  }
}
