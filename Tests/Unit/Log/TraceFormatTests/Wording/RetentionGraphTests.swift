import TestSupport
import Testing

@testable import TraceFormat

@Suite("Words for drawings of retention paths")
struct RetentionGraphTests {
  private func words(_ step: Retention.Step) -> String {
    "\(RetentionWords.node(of: step)) | \(RetentionWords.edge(of: step))"
  }

  @Test("A field belongs to the arrow, and its object is the node")
  func fields() {
    let field = Retention.Step.Field("Cart", "items", .type("[Item]"), .collection)
    #expect(words(Retention.Step(.field(field))) == "Cart | .items")
    let unnamed = Retention.Step.Field("Cart", nil, .other(.unknown), .other)
    #expect(words(Retention.Step(.field(unnamed))) == "Cart | ")
  }

  @Test(
    "The arrow of a closure has what it captures",
    arguments: [
      (Retention.Step.Capture(.object, type: "Cart", isSelf: true), "captures self"),
      (.init(.object, type: "Cart", name: "cart"), "captures cart"),
      (.init(.object, type: "Cart"), "captures Cart"),
      (.init(.variable, type: "Row", name: "row"), "captures the variable row"),
      (.init(.variable), "captures a variable"),
      (.init(.value("State"), type: "Row"), "captures State"),
      (.init(.collection, type: "Row"), "captures a collection"),
      (.init(.unknown), "captures"),
    ])
  func closures(capture: Retention.Step.Capture, edge: String) {
    let closure = Retention.Step.Closure(.closure, capture: capture)
    let step = Retention.Step(.closure(closure), site: "App/A.swift:4")
    #expect(words(step) == "closure at A.swift:4 | \(edge)")
  }

  @Test("The number of a subscription isn't a reference, but the detail of an unknown step is")
  func subscriptions() {
    #expect(words(Retention.Step(.subscription(SubscriptionID(3), lane: "a"))).hasSuffix(" | "))
    #expect(
      words(Retention.Step(.text("Screen.bag", detail: "DisposeBag")))
        == "Screen.bag | DisposeBag")
  }

  @Test("Each kind of step has words for its node")
  func all() {
    for step in RetentionSamples.steps {
      #expect(!RetentionWords.node(of: step).isEmpty, "\(step)")
    }
  }
}
