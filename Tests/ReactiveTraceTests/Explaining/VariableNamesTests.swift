import Testing

@testable import ReactiveTrace

#if os(Linux)
  @Suite("names of variables")
  struct VariableNamesTests {
    @Test(
      "are those of the source",
      arguments: [
        ("$s6Sample5cacheSivp", "cache", false),
        ("$s6Sample5cache33_0123456789ABCDEF0123456789ABCDEFLLSivp", "cache", false),
        ("$s6Sample7SessionC6sharedACvpZ", "Session.shared", true),
        (
          "$s6Sample7SessionC6shared33_0123456789ABCDEF0123456789ABCDEFLLACvpZ", "Session.shared",
          true
        ),
        ("$s6Sample7SessionC5StateO4kindSivpZ", "Session.State.kind", true),
        (
          "$s6Sample5OuterV5Inner33_0123456789ABCDEF0123456789ABCDEFLLV4kindSivpZ",
          "Outer.Inner.kind", true
        ),
        ("$sSS6SampleE4flagSbvpZ", "String.flag", true),
        ("$s5Other4ViewC6SampleE5cacheSivpZ", "View.cache", true),
        ("$s6Sample5cache_Wz", "cache", false),
        ("plain_c_variable", "plain_c_variable", false),
        ("", "", false),
        ("$s", "$s", false),
      ])
    func names(symbol: String, name: String, isStatic: Bool) {
      let variable = VariableNames.variable(symbol, nil)
      #expect(variable.name == name)
      #expect(variable.isStatic == isStatic)
    }

    @Test("are cut where they are endless")
    func endless() {
      let symbol = "$s6Sample" + String(repeating: "5cache", count: 1000)
      #expect(VariableNames.variable(symbol, nil).name.utf8.count < 100)
    }

    @Test("come with the library of a variable that is not of the program")
    func libraries() throws {
      let memory = try #require(ProcessMemory())
      var map = try #require(MemoryMap())
      map.markVariables(memory)
      let library = try #require(
        map.parts.first { $0.use == .variables && $0.path?.contains("libswiftCore") == true })
      let names = VariableNames(map).variables(at: [library.end - 8, 0, .max]) { true }
      #expect(Array(names.keys) == [library.end - 8])
      #expect(names.values.first?.library?.contains("libswiftCore") == true)
      #expect(VariableNames(map).variables(at: [library.end - 8]) { false }.isEmpty)
    }
  }
#endif

@Suite("names of fields")
struct FieldNameTests {
  @Test(
    "are those of the source",
    arguments: [
      ("bag", "bag"), ("state.handlers", "state.handlers"),
      ("handlers._variant.object.rawValue", "handlers"), ("list._buffer._storage", "list"),
      ("$__lazy_storage_$_loader", "loader"), ("state.$__lazy_storage_$_loader", "state.loader"),
      ("_buffer._storage", "_buffer._storage"), ("", ""),
    ])
  func fields(path: String, name: String) { #expect(PathWords.sourceName(path) == name) }
}
