import SwiftRuntime
import Testing

@Suite("Names of types")
struct TypeNameTests {
  private struct Hidden {
    enum Inner {}
  }
  struct Box<Value> {}

  @Test("A name has the module and the types around it")
  func qualified() {
    #expect(TypeName.qualified(Int.self) == "Swift.Int")
    #expect(
      TypeName.qualified(Box<[Int]>.self)
        == "SwiftRuntimeTests.TypeNameTests.Box<Swift.Array<Swift.Int>>")
  }

  @Test("The address of a private scope is omitted")
  func hidden() {
    #expect(String(reflecting: Hidden.self).contains("unknown context"))
    #expect(TypeName.qualified(Hidden.self) == "SwiftRuntimeTests.TypeNameTests.Hidden")
    #expect(
      TypeName.qualified(Box<Hidden.Inner>.self)
        == "SwiftRuntimeTests.TypeNameTests.Box<SwiftRuntimeTests.TypeNameTests.Hidden.Inner>")
  }

  @Test("A function type keeps its parentheses")
  func function() {
    #expect(TypeName.qualified(((Int) -> Void).self) == "(Swift.Int) -> ()")
  }
}
