import Testing

@testable import CodeLocations
@testable import SystemLibrary

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

  @Test("An autoclosure isn't a method reference")
  func methodReferences() {
    let method = "implicit closure #2 in implicit closure #1 in A.open(_:)"
    #expect(FunctionNames.isMethodReference(method))
    #expect(!FunctionNames.isMethodReference("implicit closure #1 in A.open(_:)"))
    #expect(!FunctionNames.isMethodReference("closure #1 in implicit closure #1 in A.open(_:)"))
  }

  @Test("In a method of a structure or an enumeration, self is a value")
  func values() {
    func type(_ function: String?, _ source: String? = "CodeLocations/Lines.swift:3") -> String? {
      FunctionNames.valueType(around: CodeLocation(source: source, function: function))
    }
    #expect(type("closure #1 in CodeCall.name(_:of:)") == "CodeCall")
    #expect(type("closure #2 in closure #1 in CodeCall.name.getter") == nil)
    #expect(type("closure #1 in CodeCall.open()", nil) == nil)
    #expect(type("closure #1 in CodeNames.open(_:)") == nil)
    #expect(type("closure #1 in Missing.open(_:)") == nil)
    #expect(type("open(_:)") == nil)
    #expect(type(nil) == nil)
  }

  @Test("A task waits for a continuation if the user's code called the function that makes it")
  func continuations() {
    func function(_ name: String, line: String? = nil) -> CodeFunction {
      CodeFunction(
        location: CodeLocation(source: line, function: name),
        origin: line == nil ? .package : .user)
    }
    let user = function("Player.next()", line: "App/Player.swift:7")
    let checked = function("withCheckedContinuation<A>(isolation:function:_:)")
    let stream = function("AsyncStream.Iterator.next()")
    #expect(FunctionNames.waitForContinuation([checked, user]) == true)
    #expect(FunctionNames.waitForContinuation([user]) == true)
    #expect(FunctionNames.waitForContinuation([checked, stream, user]) == false)
    #expect(FunctionNames.waitForContinuation([nil, user]) == false)
    #expect(FunctionNames.waitForContinuation([checked]) == nil)
    #expect(FunctionNames.waitForContinuation([]) == nil)
  }

  @Test("An object can be self only in an instance method of its own type")
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
