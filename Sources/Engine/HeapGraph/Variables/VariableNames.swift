import CodeLocations
package import ProcessMemory
import SwiftRuntime
import SystemLibrary

/// The names of the variables of the program and its libraries, found by address.
package struct VariableNames {
  /// A variable with its name in the source.
  package struct Variable: Equatable {
    /// The name with the enclosing type, if any: `Session.shared`, `cache`.
    package let name: String
    package let isStatic: Bool
    /// The file name of the variable's library, or nil if the variable belongs to the program
    /// itself.
    package let library: String?
    /// A Boolean value that indicates whether a word of the variable can look like an address
    /// without being one of its references. One or two words are a reference, a closure or a
    /// number. Five words that start with the address are a value of a protocol type.
    package var mayHavePadding = false
  }

  private let map: MemoryMap

  package init(_ map: MemoryMap) { self.map = map }

  /// Returns the variables that contain the addresses, if the symbol tables have their names.
  package func variables(at addresses: [UInt], isInTime: @escaping () -> Bool) -> [UInt: Variable] {
    var found: [UInt: Variable] = [:]
    #if os(Linux)
      let images = Dictionary(grouping: addresses) { image(of: $0) ?? "" }
      for (path, addresses) in images where !path.isEmpty && isInTime() {
        guard let base = map.parts.first(where: { $0.path == path })?.start,
          let file = ElfFile(path == Self.program ? "/proc/self/exe" : path, isInTime: isInTime)
        else { continue }
        let library =
          path == Self.program ? nil : path.split(separator: "/").last.map(String.init)
        let move = base &- file.firstAddress
        // A name is empty if time ran out before it was read.
        for symbol in Self.symbols(in: file, addresses.map { $0 &- move })
        where !symbol.name.isEmpty {
          var variable = Self.variable(symbol.name, library)
          variable.mayHavePadding =
            symbol.size > FunctionValueLayout.size
            && (symbol.size != ExistentialLayout.sizeWithProtocol || symbol.offset != 0)
          found[symbol.address &+ move] = variable
        }
        for address in addresses where found[address] == nil && library != nil {
          found[address] = Variable(name: "a variable", isStatic: false, library: library)
        }
      }
    #endif
    return found
  }

  /// Returns the path of the file whose image contains an address. Variables without an initial
  /// value come after the parts that have a file.
  private func image(of address: UInt) -> String? {
    guard var index = map.index(of: address) else { return nil }
    while map.parts[index].path == nil {
      guard index > 0, map.parts[index - 1].end == map.parts[index].start else { return nil }
      index -= 1
    }
    return map.parts[index].path
  }

  #if os(Linux)
    static var program: String {
      var path = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/self/exe", &path, path.count - 1)
      return count > 0 ? SystemError.text(path) : ""
    }

    /// A variable in a symbol table that contains an address.
    private struct Symbol {
      let address: UInt
      /// The bytes from the start of the variable to the address.
      let offset: UInt
      let size: UInt
      let name: String
    }

    private static func symbols(in file: ElfFile, _ addresses: [UInt]) -> [Symbol] {
      let (table, texts) = file.symbols
      var found: [Symbol] = []
      table.withUnsafeBytes { table in
        SymbolTable(table).visit({ true }) { symbol in
          guard symbol.isObject else { return }
          for address in addresses where symbol.start <= address && address < symbol.end {
            found.append(
              Symbol(
                address: address, offset: address - symbol.start, size: symbol.size,
                name: file.text(in: texts, at: symbol.name)))
          }
        }
      }
      return found
    }
  #endif

  /// Returns the variable with a mangled name.
  static func variable(_ symbol: String, _ library: String?) -> Variable {
    var name = Demangler.name(of: symbol)
    if let type = name.range(of: " : ") { name = String(name[..<type.lowerBound]) }
    var isStatic = false
    for prefix in ["static ", "globalinit_", "one-time initialization token for "]
    where name.hasPrefix(prefix) {
      if prefix == "static " { isStatic = true }
      name.removeFirst(prefix.count)
    }
    // A private variable: "(cache in _5A1B)".
    while let open = name.range(of: "("), let inside = name.range(of: " in _"),
      let close = name.range(of: ")"), open.upperBound <= inside.lowerBound,
      inside.upperBound <= close.lowerBound
    {
      let inner = String(name[open.upperBound..<inside.lowerBound])
      name.replaceSubrange(open.lowerBound..<close.upperBound, with: inner)
    }
    // A variable in an extension: "(extension in Sample):Swift.String.flag".
    if name.hasPrefix("(extension in "), let end = name.range(of: "):") {
      name.removeSubrange(..<end.upperBound)
      if let dot = name.firstIndex(of: ".") { name.removeSubrange(...dot) }
    } else if let module = MangledName(symbol: symbol)?.module, name.hasPrefix(module + ".") {
      name.removeFirst(module.count + 1)
    }
    return Variable(name: name, isStatic: isStatic, library: library)
  }
}

extension String {
  /// Returns the first range of another text, without Foundation.
  fileprivate func range(of other: String) -> Range<String.Index>? { firstRange(of: other) }
}
