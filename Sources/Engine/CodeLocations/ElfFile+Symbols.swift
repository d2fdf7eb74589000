#if os(Linux)
  extension ElfFile {
    /// Returns the addresses of variables in the file, by their symbols. A symbol that isn't in the
    /// table, or that the file only imports, is missing.
    package func addresses(ofVariables names: [String], isInTime: () -> Bool) -> [String: UInt] {
      let (table, section) = symbols
      guard !table.isEmpty, let texts = contents(of: section) else { return [:] }
      var found: [String: UInt] = [:]
      let wanted = names.map { (name: $0, bytes: Array($0.utf8) + [0]) }
      table.withUnsafeBytes { table in
        texts.withUnsafeBytes { texts in
          SymbolTable(table).visit(isInTime) { symbol in
            guard symbol.isObject, symbol.start != 0, symbol.name < texts.count else { return }
            let rest = texts[symbol.name...]
            for (name, bytes) in wanted where rest.starts(with: bytes) {
              found[name] = symbol.start
            }
          }
        }
      }
      return found
    }

    /// Returns which of some functions the file defines.
    package func functions(among names: [String], isInTime: () -> Bool) -> Set<String> {
      let (table, section) = symbols
      guard !table.isEmpty, let texts = contents(of: section) else { return [] }
      let wanted = names.map { (name: $0, bytes: Array($0.utf8)) }
      var found: Set<String> = []
      table.withUnsafeBytes { table in
        texts.withUnsafeBytes { texts in
          SymbolTable(table).visitFunctions(texts, isInTime) { function, name in
            // A function that the file only imports has no size.
            guard function.start != 0, function.size != 0 else { return }
            for (text, bytes) in wanted
            where name.count == bytes.count && name.elementsEqual(bytes) {
              found.insert(text)
            }
          }
        }
      }
      return found
    }
  }
#endif
