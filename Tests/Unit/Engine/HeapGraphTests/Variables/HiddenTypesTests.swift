#if os(Linux)
  import Testing

  @testable import HeapGraph
  @testable import SwiftRuntime

  final class LexiconTenant {}

  @Suite("Types that reflection hides")
  struct HiddenTypesTests {
    private func stored(_ name: String) -> String {
      switch SynchronizationTypes.stored(MangledName(Array(name.utf8))) {
      case .value(let type, let header): "\(type) after \(header)"
      case .reference: "reference"
      case .nothing: "nothing"
      case nil: "unknown"
      }
    }

    @Test(
      "The mangled name of a mutex determines the type of its value",
      arguments: [
        ("15Synchronization5MutexVySOSgG", "Optional<ObjectIdentifier> after 4"),
        ("15Synchronization5MutexVySaySSGG", "Array<String> after 4"),
        ("15Synchronization5MutexVySi_SStG", "(Int, String) after 4"),
      ])
    func mutex(_ name: String, _ expected: String) { #expect(stored(name) == expected) }

    @Test("The mangled name of a mutex can contain a class name with an x")
    func className() throws {
      let name = try #require(_mangledTypeName(LexiconTenant.self))
      #expect(stored("15Synchronization5MutexVy\(name)G") == "LexiconTenant after 4")
    }

    @Test(
      "An atomic value doesn't retain an object, unless it is a lazy reference",
      arguments: [
        ("15Synchronization6AtomicVySbG", "nothing"),
        ("15Synchronization19AtomicLazyReferenceVySSG", "reference"),
      ])
    func atomic(_ name: String, _ expected: String) { #expect(stored(name) == expected) }

    @Test(
      "The stored type of a mangled name is unknown if it can't be resolved safely",
      arguments: [
        "", "15Synchronization5MutexV", "15Synchronization5MutexVyxG",
        "s8SendableRzl15Synchronization5MutexVyxG", "15Synchronization5MutexVyAA8WordPairVG",
        "15Synchronization5MutexVyQyG", "4main3BoxV", "15Synchronization5MutexVy999ZG",
        "15Synchronization5MutexVyG",
      ])
    func unknown(_ name: String) { #expect(stored(name) == "unknown") }
  }
#endif
