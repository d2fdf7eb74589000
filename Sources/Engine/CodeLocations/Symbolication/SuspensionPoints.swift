import SwiftRuntime

#if os(Linux)
  /// The instructions with which asynchronous functions suspend.
  ///
  /// The code after an `await` is a function of its own. The code before the `await` stores the
  /// address of that function. The instruction that does so has the line of the `await`. In
  /// optimized code, the function after the `await` often doesn't have it.
  struct SuspensionPoints {
    /// The addresses of the instructions by the addresses of the functions that resume.
    private(set) var instructions: [UInt: UInt] = [:]

    /// The maximum size of a function that is examined, in bytes.
    private static let maxSize = 1 << 20

    /// Finds the instructions that store the addresses of functions.
    ///
    /// - Parameters:
    ///   - resumptions: The symbols of the functions by their addresses.
    ///   - table: The symbol table of the file.
    ///   - texts: The section with the names of the symbols.
    init(
      before resumptions: [UInt: String], in file: ElfFile, _ table: UnsafeRawBufferPointer,
      texts: () -> [UInt8], _ isInTime: () -> Bool
    ) {
      var wanted: [[UInt8]: Set<UInt>] = [:]
      for (address, name) in resumptions {
        guard let whole = MangledName.functionOfResumption(name) else { continue }
        wanted[Array(whole.utf8), default: []].insert(address)
      }
      guard !wanted.isEmpty, isInTime() else { return }
      var isLength = [Bool](repeating: false, count: 1 + (wanted.keys.map(\.count).max() ?? 0))
      for name in wanted.keys { isLength[name.count] = true }
      var parts: [(start: UInt, size: UInt, targets: Set<UInt>)] = []
      texts().withUnsafeBytes { texts in
        SymbolTable(table).visitFunctions(texts, isInTime) { symbol, name in
          // Most symbols are neither a part of a function nor as long as a wanted one.
          var whole = name[...]
          if name.last == UInt8(ascii: "_") {
            whole = MangledName.functionOfResumption(name) ?? whole
          }
          guard whole.count < isLength.count, isLength[whole.count],
            let targets = wanted[Array(whole)]
          else { return }
          parts.append((symbol.start, min(symbol.size, UInt(Self.maxSize)), targets))
        }
      }
      for part in parts where isInTime() {
        guard let code = file.code(at: part.start, count: Int(part.size)) else { continue }
        code.withUnsafeBytes { code in
          AddressReferences.visit(code, at: part.start, targets: part.targets) {
            if instructions[$1] == nil { instructions[$1] = $0 }
          }
        }
      }
    }

    init() {}
  }
#endif
