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

  @Test("A name that can also be that of something owned is the weaker sign of a back reference")
  func weakerNames() {
    let view = field("view", .optionalReference)
    #expect(Retention.stepToBreak([view, field("presenter", .optionalReference)]) == 0)
    #expect(Retention.stepToBreak([view, field("delegate", .reference)]) == 1)
  }

  @Test("Objects that were registered aren't owned, so they are removed")
  func registrations() {
    let model = field("model", .reference)
    let observers = field("priceObservers", .collection)
    #expect(Retention.stepToBreak([model, observers]) == 1)
    #expect(!Retention.mayBeWeak(0, in: [model, observers]))
    #expect(Retention.stepToBreak([model, field("charts", .collection)]) == 0)
    #expect(Retention.stepToBreak([field("parent", .reference), observers]) == 0)
  }

  @Test("The previous element of a list doesn't own the next one")
  func lists() {
    let next = field("next", .optionalReference)
    let previous = field("previous", .optionalReference)
    #expect(Retention.stepToBreak([previous, next]) == 0)
    #expect(Retention.mayBeWeak(0, in: [previous, next]))
    #expect(!Retention.mayBeWeak(1, in: [previous, next]))
  }

  @Test("A reference that owns its object is the last one to break")
  func owners() {
    let owner = field("root", .owner)
    #expect(Retention.stepToBreak([owner, field("router", .reference)]) == 1)
    #expect(Retention.stepToBreak([field("session", .resource), owner]) == 0)
    #expect(Retention.stepToBreak([owner]) == 0)
  }

  @Test("A closure of the program is broken rather than one of another package")
  func otherPackages() {
    let steps = [closure, field("a", .closure), closure]
    #expect(Retention.stepsToBreak(steps) { $0 != 0 } == [2, 0, 1])
  }

  @Test("A property of a dependency isn't a step to break")
  func dependencies() {
    let step = Step(.field(Step.Field("A", "parent", .type("B"), .reference, library: "Feeds")))
    #expect(Retention.stepToBreak([step, step]) == nil)
  }

  @Test("A reference may be weak if it leads back to an owner, or if nothing else can be weak")
  func weakReferences() {
    let child = field("child", .optionalReference)
    #expect(Retention.mayBeWeak(0, in: [field("parent", .reference), child]))
    #expect(!Retention.mayBeWeak(1, in: [field("next", .reference), child]))
    #expect(!Retention.mayBeWeak(0, in: [child, field("handler", .other)]))
    #expect(!Retention.mayBeWeak(0, in: [child]))
    #expect(!Retention.mayBeWeak(0, in: [field("parent", .owner), child]))
    for holding in [Step.Field.Holding.owner, .collection] {
      #expect(Retention.mayBeWeak(0, in: [child, field("x", holding)]))
    }
  }
}
