#if os(Linux)
  @testable import ProcessMemory
  import Testing

  @testable import HeapGraph

  @Suite("Names of variables")
  struct VariableNamesTests {
    @Test(
      "A variable's name is demangled to its name in the source",
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

    @Test("A very long variable name is truncated")
    func endless() {
      let symbol = "$s6Sample" + String(repeating: "5cache", count: 1000)
      #expect(VariableNames.variable(symbol, nil).name.utf8.count < 100)
    }

    @Test("A variable of a library is returned with the name of the library")
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
