import Testing

@testable import TraceFormat

@Suite("Excerpts of retention paths")
struct RetentionExcerptTests {
  private func path(
    _ count: Int, tail: Int = 0, breakIndex: Int? = nil
  ) -> Retention {
    let steps = (0..<count).map { Retention.Step(.text("\($0)", detail: "")) }
    return Retention(kind: .cycle, steps: steps, tail: tail, breakIndex: breakIndex)
  }

  @Test("A path that is short enough is shown completely", arguments: [0, 1, 20])
  func short(count: Int) {
    #expect(path(count).excerpt(max: 20) == (0..<count).map { .step($0) })
    #expect(path(count).shortened(max: 20) == path(count))
  }

  @Test(
    "An excerpt has both ends, the step to break, the end of the cycle, and every index once",
    arguments: [21, 22, 30, 100, 5000], [12, 16, 20])
  func long(count: Int, max: Int) {
    for breakIndex in [0, 1, count / 2, count - 1] {
      for tail in [0, 1, count / 3, count - 1] {
        let excerpt = path(count, tail: tail, breakIndex: breakIndex).excerpt(max: max)
        #expect(excerpt.count <= max)
        let indices = excerpt.flatMap { part in
          switch part {
          case .step(let index): index..<index + 1
          case .omitted(let range): range
          }
        }
        #expect(indices == Array(0..<count))
        for index in [0, count - 1, breakIndex, count - tail - 1] {
          #expect(excerpt.contains(.step(index)))
        }
      }
    }
  }

  @Test("Equal steps in a row are shown once, with the step to break and the end of the cycle")
  func repeated() {
    func list(_ count: Int, breakIndex: Int?) -> Retention {
      let step = Retention.Step(.text("Node.next", detail: ""))
      return Retention(
        kind: .cycle, steps: [Retention.Step](repeating: step, count: count),
        breakIndex: breakIndex)
    }
    #expect(list(2, breakIndex: 0).excerpt(max: 20) == [.step(0), .step(1)])
    #expect(list(5, breakIndex: 0).excerpt(max: 20) == [.step(0), .omitted(1..<4), .step(4)])
    #expect(
      list(20_000, breakIndex: 7).excerpt(max: 20) == [
        .step(0), .omitted(1..<7), .step(7), .omitted(8..<19_999), .step(19_999),
      ])
    let short = list(20_000, breakIndex: 0).shortened(max: 64)
    #expect(short.steps.map(\.kind).dropFirst().first == .omitted(19_998))
    #expect(short.steps.count == 3 && short.breakIndex == 0)
  }

  @Test("A shortened path keeps its tail and the step to break", arguments: [65, 66, 100, 5000])
  func shortened(count: Int) {
    for tail in [0, 1, 20, 60, count - 1] {
      for breakIndex in [0, 31, count - tail - 1] {
        let short = path(count, tail: tail, breakIndex: breakIndex).shortened(max: 64)
        #expect(short.steps.count <= 64)
        #expect(short.breakStep?.kind == .text("\(breakIndex)", detail: ""))
        #expect(short.cycle.last?.kind == .text("\(count - tail - 1)", detail: ""))
        let omitted = short.steps.reduce(0) { sum, step in
          if case .omitted(let number) = step.kind { sum + number - 1 } else { sum }
        }
        #expect(short.steps.count + omitted == count)
      }
    }
  }
}
