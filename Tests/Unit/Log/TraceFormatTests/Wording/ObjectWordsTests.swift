import TestSupport
import Testing

@testable import TraceFormat

@Suite("The text about what keeps an object alive")
struct ObjectWordsTests {
  private typealias Step = Retention.Step

  private let object = Retention.Step(.object("Screen"))

  private func closure(isSelf: Bool) -> Retention.Step {
    Step(
      .closure(
        Step.Closure(
          .closure,
          capture: Step.Capture(
            .object, type: "Screen", name: isSelf ? "self" : "screen", isSelf: isSelf))),
      site: "App/A.swift:3")
  }

  private func retention(_ kind: Retention.Kind, _ steps: [Retention.Step], tail: Int = 0)
    -> Retention
  {
    var retention = Retention(
      kind: kind, steps: steps, tail: tail, breakIndex: kind == .cycle ? 0 : nil)
    retention.subject = .object
    return retention
  }

  private func remedy(_ steps: [Retention.Step]) -> String? {
    RetentionWords.remedy(retention(.path, steps + [object]))?.text
  }

  @Test("The remedy for a path to an object depends on its root and on what captures the object")
  func paths() {
    let variable = Step(.variable(Step.Variable(.staticMember, "Session.shared")))
    let field = RetentionSamples.field
    #expect(
      remedy([variable])
        == "Remove the object from static Session.shared when it is no longer needed.")
    #expect(
      remedy([variable, closure(isSelf: true)])
        == "Capture self weakly: [weak self], or remove the closure from static Session.shared.")
    #expect(
      remedy([variable, field("rows", .type("[Row]"), .collection)])
        == "Remove the object from Screen.rows when it is no longer needed.")
    #expect(
      remedy([variable, field("delegate", .type("A"), .optionalReference)])
        == "Set Screen.delegate to nil when the object is no longer needed, or make it weak.")
    #expect(
      remedy([variable, field("model", .type("A"), .reference)])
        == "Find out why Screen is alive, which holds it in Screen.model.")
    let center = Step(.variable(Step.Variable(.library, "_defaultCenter", library: "Foundation")))
    #expect(
      remedy([center, closure(isSelf: true)])
        == "Capture self weakly: [weak self], and remove the observer when its owner is no longer "
        + "needed.")
    #expect(
      remedy([Step(.task(holds: "Screen", waitsForContinuation: false))])
        == "Cancel the Task when the object is no longer needed, or capture the object weakly.")
    #expect(
      remedy([Step(.task(holds: "Screen", waitsForContinuation: true))])
        == "Resume the continuation that the Task waits for.")
    #expect(
      remedy([Step(.delay), closure(isSelf: false)])
        == "Capture the object weakly, or pass asyncAfter a DispatchWorkItem and cancel it when "
        + "its owner is no longer needed.")
    #expect(
      remedy([Step(.localVariable)])
        == "Let the function return, or set its variable to nil when it is no longer needed.")
    for root in [Step(.threadValue), Step(.threadDictionary)] {
      #expect(remedy([root]) == "Remove the value from its thread when it is no longer needed.")
    }
    #expect(remedy([]) == nil)
  }

  @Test("No text about an object advises to dispose a subscription")
  func wording() {
    for step in RetentionSamples.steps {
      if case .text = step.kind { continue }
      for retention in [
        retention(.path, [step, object]), retention(.cycle, [step]),
        retention(.cycle, [step, object], tail: 1),
      ] {
        let text = RetentionWords.text(retention)
        #expect(!text.contains("ispose the subscription"), "\(text)")
        #expect(!text.contains("cycle to the subscription"), "\(text)")
      }
    }
  }

  @Test("The advice for a Task that holds nothing doesn't mention self")
  func lonelyTask() {
    for (waits, advice) in [
      (true, "Resume the continuation that the Task waits for."),
      (false, "Cancel the Task when it is no longer needed."),
    ] {
      let task = Retention.Step(.task(holds: nil, waitsForContinuation: waits))
      var retention = Retention(kind: .cycle, steps: [task], breakIndex: 0)
      retention.subject = .object
      #expect(RetentionWords.remedy(retention)?.text == advice)
    }
  }

  @Test("A path from the caller says so, without advice")
  func caller() {
    var retention = Retention.ofCaller([object], limit: .searched(bytes: 1 << 20))
    retention.subject = .object
    #expect(
      RetentionWords.text(retention) == """
        probably held only by the caller:
          a local variable   of a function that has not returned
          Screen             the object
        No other holder was found among 1 MB of memory, which doesn't prove that there isn't one.
        """)
    #expect(RetentionWords.remedy(retention) == nil)
  }
}
