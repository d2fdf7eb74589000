import Testing

@testable import CodeLocations
@testable import ReactiveTrace
@testable import TraceFormat

@Suite("The names of functions that belong to closures")
struct FunctionNamesTests {
  @Test(
    "The function around a closure is found without the closures in between",
    arguments: [
      ("closure #2 in SearchScreen.init(searchText:index:)", "SearchScreen.init"),
      ("closure #1 in closure #3 in open(_:)", "open"),
      ("implicit closure #2 in implicit closure #1 in A.open(_:)", "open(_:)"),
      ("open", "open"), ("", ""), ("in", ""),
    ])
  func around(name: String, expected: String) {
    #expect(FunctionNames.around(name) == expected)
  }

  @Test(
    "A nested function is distinguished from a closure",
    arguments: [
      ("update #1 (_:) in Screen.open()", "update"), ("update #1 in Screen.open()", "update"),
      ("closure #1 in update #1 (_:) in Screen.open()", nil),
      ("closure #1 in Screen.open()", nil), ("Screen.open()", nil), ("", nil),
      ("implicit closure #2 in implicit closure #1 in A.open(_:)", nil),
    ])
  func nestedFunctions(name: String, expected: String?) {
    #expect(FunctionNames.nestedFunction(name) == expected)
  }

  @Test("In a method of a structure or an enumeration, self is a value")
  func values() {
    func type(_ function: String?, _ source: String? = "ReactiveTrace/Sites.swift:3") -> String? {
      FunctionNames.valueType(around: CodeLocation(source: source, function: function))
    }
    #expect(type("closure #1 in PathDescriber.retention(_:of:)") == "PathDescriber")
    #expect(type("closure #2 in closure #1 in SourceField.collection.getter") == nil)
    #expect(type("closure #1 in DebugEntries.open()", nil) == nil)
    #expect(type("closure #1 in LogFile.open(_:)") == nil)
    #expect(type("closure #1 in Missing.open(_:)") == nil)
    #expect(type("open(_:)") == nil)
    #expect(type(nil) == nil)
  }

  @Test("An object is self only in a method of its own type")
  func selves() {
    #expect(FunctionNames.isMember("closure #1 in Row.begin()", of: "Row"))
    #expect(FunctionNames.isMember("closure #1 in App.Row<A>.begin(_:)", of: "Row<Int>"))
    #expect(FunctionNames.isMember("closure #1 in closure #1 in Row.format.getter", of: "Row"))
    #expect(!FunctionNames.isMember("closure #1 in TableRow.begin()", of: "Row"))
    #expect(!FunctionNames.isMember("closure #1 in static Row.begin()", of: "Row"))
    #expect(!FunctionNames.isMember("closure #1 in Row", of: "Row"))
    #expect(!FunctionNames.isMember("", of: "Row"))
  }
}

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

  @Test("A closure is broken before a field, and the last of several closures in a row")
  func closures() {
    #expect(Retention.stepToBreak([field("a", .optionalReference), closure]) == 1)
    #expect(Retention.stepToBreak([closure, closure, field("a", .bag)]) == 1)
    #expect(Retention.stepToBreak([closure, field("a", .bag), closure]) == 0)
  }

  @Test("Of several references, one that leads back to an owner is broken")
  func references() {
    let child = field("child", .optionalReference)
    #expect(Retention.stepToBreak([field("parent", .optionalReference), child]) == 0)
    #expect(Retention.stepToBreak([field("rowDelegate", .reference), child]) == 0)
    #expect(Retention.stepToBreak([child, field("handler.owner", .other)]) == 1)
    #expect(Retention.stepToBreak([child, field("handler.state", .other)]) == 0)
    #expect(Retention.stepToBreak([field("parent", .reference), field("b", .reference)]) == 0)
    #expect(Retention.stepToBreak([field("holder", .reference), field("x", .disposable)]) == 0)
  }

  @Test("Without a reference that can be weak, the last field is broken")
  func others() {
    #expect(Retention.stepToBreak([field("rows", .collection), field("a", .other)]) == 1)
    #expect(Retention.stepToBreak([Step(.localVariable)]) == nil)
    #expect(Retention.stepToBreak([]) == nil)
  }
}
