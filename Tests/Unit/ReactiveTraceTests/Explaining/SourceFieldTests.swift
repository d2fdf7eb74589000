import Testing

@testable import HeapGraph
@testable import TraceCauses

@Suite("Names of fields")
struct FieldNameTests {
  @Test(
    "A field has the name that it has in the source",
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
