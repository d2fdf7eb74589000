import TestSupport
import Testing

@testable import TraceAnalysis
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
