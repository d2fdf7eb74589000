#if os(Linux)
  import SystemLibrary
  import TestSupport
  import Testing

  @testable import CodeLocations

  @Suite(
    "Lookups that run out of time",
    .enabled(if: !isSanitized, "a sanitizer makes the debug information too large"))
  struct LateLookupTests {
    private static let program = BuiltProgram.path(of: "TraceWriterHelper")

    /// A clock that stops a lookup after it was read a given number of times.
    private final class Clock {
      private let limit: Int
      private(set) var looks = 0

      init(limit: Int) { self.limit = limit }

      func isInTime() -> Bool {
        looks += 1
        return looks <= limit
      }
    }

    /// The first closures of the program.
    private static func closures() throws -> [UInt] {
      let file = try #require(ElfFile(program) { true })
      let (table, texts) = file.symbols
      let names = try #require(file.contents(of: texts))
      var closures: Set<UInt> = []
      table.withUnsafeBytes { table in
        names.withUnsafeBytes { names in
          SymbolTable(table).visitFunctions(names, { true }) { function, name in
            let name = String(decoding: name, as: UTF8.self)
            guard name.hasPrefix("$s17TraceWriterHelper"), name.hasSuffix("yycfU_") else { return }
            closures.insert(function.start)
          }
        }
      }
      return closures.sorted()
    }

    private static func functions(_ entries: [UInt], _ clock: Clock) -> [CodeFunction?] {
      guard let file = ElfFile(program, isInTime: clock.isInTime) else { return [] }
      var names = ImageNames([], entries: entries, isInTime: clock.isInTime)
      return names.look(in: file, describesCalls: false).functions
    }

    @Test("The parameters of a function are either all known or all unknown")
    func parameters() throws {
      let closures = try Self.closures()
      let clock = Clock(limit: .max)
      let whole = Self.functions(closures, clock)
      let captures = whole.compactMap { $0?.parameters.last?.name }
      #expect(captures.contains("self"))
      // The names of parameters are read last.
      var unknown = 0
      for limit in stride(from: clock.looks - 1, through: max(0, clock.looks - 100), by: -5) {
        for (late, whole) in zip(Self.functions(closures, Clock(limit: limit)), whole) {
          guard let late, let whole, !whole.parameters.isEmpty else { continue }
          if late.parameters.isEmpty { unknown += 1 } else { #expect(late == whole) }
        }
      }
      #expect(unknown > 0)
    }
  }
#endif
