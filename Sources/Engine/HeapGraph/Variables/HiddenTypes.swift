import CodeLocations
package import ProcessMemory
package import SwiftRuntime

/// The stored values of fields with noncopyable types, such as a `Mutex` with an array of screens.
///
/// The descriptor of a class or structure hides these types from reflection: instead of a mangled
/// name, it has a reference to a function that returns the empty tuple. The symbol of that
/// reference contains the mangled name: `get_type_metadata 15Synchronization5MutexVySiG
/// noncopyable.1` (`IRGenModule::getTypeRef` in the compiler), in Swift 6.2 without `noncopyable`.
/// A stripped program doesn't have the symbol. The runtime doesn't find these types by name either,
/// but it finds their generic arguments.
package final class HiddenTypes {
  private let map: MemoryMap
  private let isInTime: () -> Bool
  /// The mangled names by address, for each image that has been read.
  private var names: [String: [UInt: [UInt8]]] = [:]

  package init(_ map: MemoryMap, isInTime: @escaping () -> Bool) {
    self.map = map
    self.isInTime = isInTime
  }

  /// Returns the stored value of a field, given the address of the reference in the field's
  /// descriptor. Returns nil if the type isn't one of the locks and atomic values of the standard
  /// library, or if its argument is a generic parameter. The first call for an image reads its
  /// symbols, which takes milliseconds.
  package func stored(at address: UInt) -> TypeParts.Stored? {
    name(at: address).flatMap { SynchronizationTypes.stored(MangledName($0)) }
  }

  private func name(at address: UInt) -> [UInt8]? {
    #if os(Linux)
      guard let path = map.part(of: address)?.path else { return nil }
      if let known = names[path] { return known[address] }
      let found = read(path)
      names[path] = found
      return found[address]
    #else
      return nil
    #endif
  }

  #if os(Linux)
    private func read(_ path: String) -> [UInt: [UInt8]] {
      guard isInTime(), let base = map.parts.first(where: { $0.path == path })?.start,
        let file = ElfFile(
          path == VariableNames.program ? "/proc/self/exe" : path, isInTime: isInTime)
      else { return [:] }
      let move = base &- file.firstAddress
      let (table, section) = file.symbols
      guard let texts = file.contents(of: section) else { return [:] }
      let start = MangledName.hiddenTypeStart
      var found: [UInt: [UInt8]] = [:]
      table.withUnsafeBytes { table in
        texts.withUnsafeBytes { texts in
          SymbolTable(table).visit(isInTime) { symbol in
            guard symbol.isObject, symbol.name >= 0, symbol.name + start.count < texts.count,
              texts[symbol.name..<(symbol.name + start.count)].elementsEqual(start)
            else { return }
            var cursor = ByteCursor(texts, from: symbol.name + start.count)
            let text = Array(cursor.text().utf8)
            guard let end = MangledName.endOfHiddenType(text) else { return }
            found[symbol.start &+ move] = Array(text[..<end])
          }
        }
      }
      return found
    }
  #endif
}
