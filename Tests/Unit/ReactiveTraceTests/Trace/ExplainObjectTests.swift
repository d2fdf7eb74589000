import Dispatch
import ReactiveKit
import TestSupport
import Testing

@testable import ReactiveTrace

extension ProcessLogTests {
  @Suite(
    "Explanations of objects", .ownThread,
    .enabled(if: !isSanitized, "a search for holders takes too long with a sanitizer"))
  struct ExplainObjectTests {
    private typealias Kind = Trace.Explanation.Step.Kind

    @Test("The explanation of a screen names the closure of its cycle and the step to break")
    func closure() throws {
      let screen = EditorScreen()
      screen.bindStrongly()
      let explanation = Trace.explain(screen, limit: .seconds(60))
      #expect(explanation.kind == .cycle, "\(explanation)")
      #expect(!explanation.isProbable)
      #expect(explanation.tail == 0)
      #expect(!explanation.isOnlyOfCaller)
      let field = try #require(explanation.steps.first { $0.kind == .field })
      #expect(field.what == "EditorScreen.onSave")
      #expect(explanation.steps.filter { $0.kind == .field }.count == 1)
      #expect(!explanation.steps.contains { $0.kind == .object || $0.kind == .subscription })
      // Names of closures need debug information, which a sanitizer makes too large.
      if let closure = explanation.steps.first, closure.kind == .closure, closure.source != nil {
        #expect(closure.source?.hasPrefix("ReactiveTraceTests/LeakyApp.swift:") == true)
        #expect(closure.detail == "captures self strongly")
        #expect(explanation.breakIndex == 0)
        #expect(explanation.advice == "Capture self weakly: [weak self].")
        #expect(explanation.description.contains("<- break it here: [weak self]"))
      }
      screen.onSave = nil
    }

    @Test("The advice for two objects that refer to each other is to make the delegate weak")
    func delegate() {
      let coordinator = CheckoutCoordinator()
      coordinator.begin()
      let explanation = Trace.explain(coordinator, limit: .seconds(60))
      #expect(explanation.kind == .cycle, "\(explanation)")
      #expect(
        Set(explanation.steps.map(\.what)) == [
          "CheckoutCoordinator.payment", "PaymentForm.delegate",
        ])
      #expect(explanation.advice == "Make PaymentForm.delegate weak.")
      coordinator.payment.delegate = nil
    }

    @Test("An object that a cycle retains isn't reported as a part of the cycle")
    func tail() {
      let coordinator = CheckoutCoordinator()
      coordinator.begin()
      let form = Trace.explain(coordinator.payment, limit: .seconds(60))
      #expect(form.kind == .cycle)
      #expect(form.tail == 0)
      let screen = EditorScreen()
      let owner = Owner(screen)
      owner.itself = owner
      let explanation = Trace.explain(screen, limit: .seconds(60))
      #expect(explanation.kind == .cycle, "\(explanation)")
      #expect(explanation.tail >= 1)
      #expect(explanation.steps.last?.kind == .object)
      #expect(explanation.steps.last?.what == "EditorScreen")
      #expect(explanation.description.contains("and from the cycle to the object:"))
      owner.itself = nil
      coordinator.payment.delegate = nil
    }

    @Test("The explanation of an actor names its cycle")
    func cycleOfActor() async {
      let queue = DownloadQueue()
      await queue.retainItself()
      let explanation = Trace.explain(queue, limit: .seconds(60))
      #expect(explanation.kind == .cycle, "\(explanation)")
      #expect(explanation.steps.contains { $0.what == "DownloadQueue.onFinish" })
    }

    @Test("A search that has no time reports that, and no holder")
    func noTime() {
      let screen = EditorScreen()
      let explanation = Trace.explain(screen, limit: .zero)
      #expect(explanation.kind == .none)
      #expect(explanation.steps.isEmpty)
      #expect(explanation.note?.contains("too short") == true)
    }
  }
}

/// An object that holds a screen, and itself on request.
private final class Owner {
  let screen: EditorScreen
  var itself: Owner?

  init(_ screen: EditorScreen) { self.screen = screen }
}
