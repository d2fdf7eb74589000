import Testing

@testable import HeapGraph
@testable import ReactiveTrace

#if os(Linux)
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

@Suite("Names of fields")
struct FieldNameTests {
  @Test(
    "A field's name is the one in the source",
    arguments: [("bag", "bag"), ("$__lazy_storage_$_loader", "loader"), ("", "")])
  func fields(part: String, name: String) { #expect(SourceField.sourceName(part) == name) }

  @Test("A path ends at a field whose type belongs to a library")
  func paths() throws {
    #if os(Linux)
      let heap = try #require(Heap())
      let owner = Catalog()
      let address = UInt(bitPattern: Unmanaged.passUnretained(owner).toOpaque())
      try withExtendedLifetime(owner) {
        let object = try #require(heap.object(at: address))
        for (path, name) in [
          ("items._buffer._storage", "items"), ("state.handlers", "state.handlers"),
          ("state.names._variant.object.rawValue", "state.names"), ("load._task", "load"),
          ("$__lazy_storage_$_loader", "loader"), ("items._buffer._storage[3].next", "items"),
        ] {
          #expect(SourceField(path, of: object, heap).name == name)
        }
        #expect(SourceField("items._buffer._storage", of: object, heap).collection == "[Catalog]")
        #expect(
          SourceField("state.names._variant.object.rawValue", of: object, heap).collection
            == "[String: [Int]]")
      }
    #endif
  }
}

private final class Catalog {
  struct State {
    var handlers: [() -> Void] = []
    var names: [String: [Int]] = [:]
  }

  var items: [Catalog] = []
  var state = State()
  var load: Task<Void, Never>?
  lazy var loader: Catalog? = nil
}
