import Testing

@testable import ReactiveTrace
@testable import TraceFormat

@Suite("The step of a cycle to break")
struct StepToBreakTests {
  private typealias Step = Retention.Step

  private func field(
    _ name: String, _ holding: Retention.Step.Field.Holding
  ) -> Retention.Step {
    Step(.field(Step.Field("A", name, .other(.unknown), holding)))
  }

  private var closure: Retention.Step {
    Step(.closure(Step.Closure(.closure, capture: Step.Capture(.object, type: "A"))))
  }

  @Test(
    "The step to break is a closure rather than a field, and the last of several closures in a row")
  func closures() {
    #expect(Retention.stepToBreak([field("a", .optionalReference), closure]) == 1)
    #expect(Retention.stepToBreak([closure, closure, field("a", .bag)]) == 1)
    #expect(Retention.stepToBreak([closure, field("a", .bag), closure]) == 0)
  }

  @Test("The step to break is the reference that leads back to an owner, if there is one")
  func references() {
    let child = field("child", .optionalReference)
    #expect(Retention.stepToBreak([field("parent", .optionalReference), child]) == 0)
    #expect(Retention.stepToBreak([field("rowDelegate", .reference), child]) == 0)
    #expect(Retention.stepToBreak([child, field("handler.owner", .other)]) == 1)
    #expect(Retention.stepToBreak([child, field("handler.state", .other)]) == 0)
    #expect(Retention.stepToBreak([field("parent", .reference), field("b", .reference)]) == 0)
    #expect(Retention.stepToBreak([field("holder", .reference), field("x", .disposable)]) == 0)
  }

  @Test("If no reference can be weak, the step to break is the last field")
  func others() {
    #expect(Retention.stepToBreak([field("rows", .collection), field("a", .other)]) == 1)
    #expect(Retention.stepToBreak([Step(.localVariable)]) == nil)
    #expect(Retention.stepToBreak([]) == nil)
  }
}
