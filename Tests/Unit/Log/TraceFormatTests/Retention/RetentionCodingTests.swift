import TestSupport
import Testing

@testable import TraceFormat

@Suite("The coding of retention steps")
struct RetentionCodingTests {
  private func coded(_ step: Retention.Step) -> Retention.Step {
    Retention.Step(Dictionary(step.members.map { ($0.key, $0.value) }) { $1 })
  }

  @Test("A step of any kind reads back as it was written", arguments: RetentionSamples.steps)
  func roundTrip(step: Retention.Step) {
    #expect(coded(step) == step)
    #expect(step.members.count >= 1)
  }

  @Test("The samples include every kind of step, and every way in which something is retained")
  func samples() {
    let kinds = Set(RetentionSamples.steps.map { $0.members[0].value })
    #expect(kinds.count == 22)
    let holdings = Set(RetentionSamples.steps.compactMap { $0.field?.holding })
    #expect(holdings == Set(Retention.Step.Field.Holding.allCases))
  }

  @Test("Keys of strings have at most seven letters, so that each fits in a 16-byte store")
  func keys() {
    for key in RetentionKey.allCases {
      #expect(key.rawValue.utf8.count <= (key.isInteger ? 8 : 7))
    }
  }

  @Test("A step of an unknown kind is described by its known members")
  func unknown() {
    let later = Retention.Step([
      .kind: .text("actor"), .name: .text("Counter"), .holds: .text("Row"), .sub: .integer(7),
      .site: .text("App/A.swift:3"),
    ])
    #expect(later == Retention.Step(.text("Counter", detail: "Row"), site: "App/A.swift:3"))
    #expect(Retention.Step([:]) == Retention.Step(.text("", detail: "")))
  }

  @Test("A member with an invalid value is ignored")
  func damaged() {
    let step = Retention.Step([
      .kind: .text("field"), .way: .text("telepathy"), .target: .text("spoon"),
      .column: .integer(.max), .ref: .text("firm"),
    ])
    #expect(step.kind == .field(Retention.Step.Field("", nil, .other(.unknown), .other)))
    #expect(step.column == nil)
    #expect(step.strength == .strong)
    let subscription = Retention.Step([.kind: .text("subscription"), .sub: .integer(0)])
    #expect(subscription.kind == .subscription(nil, lane: ""))
  }

  @Test("Equal steps of two subscriptions have the same identity")
  func identity() {
    func step(_ id: UInt64, _ lane: String) -> Retention.Step {
      Retention.Step(.subscription(SubscriptionID(id), lane: lane))
    }
    #expect(step(1, "a").identity == step(2, "a").identity)
    #expect(step(1, "a").identity != step(1, "b").identity)
    let identities = Set(RetentionSamples.steps.map(\.identity))
    #expect(identities.count == RetentionSamples.steps.count)
  }
}

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
