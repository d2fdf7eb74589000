/// The mangled names of functions and variables in symbol tables.
extension MangledName {
  private static let symbolPrefix = "$s"

  /// Creates the name in a symbol, without the prefix of all Swift symbols. Returns nil for other
  /// symbols.
  package init?(symbol: String) {
    guard symbol.hasPrefix(Self.symbolPrefix) else { return nil }
    self.init(Array(symbol.utf8.dropFirst(Self.symbolPrefix.utf8.count)))
  }

  /// Returns the prefix of a module's symbols.
  package static func symbolPrefix(ofModule module: String) -> String {
    symbolPrefix + identifier(module)
  }

  /// The prefixes of the standard library's symbols: those of the module itself, and those of its
  /// best-known types, which have abbreviations.
  package static let symbolPrefixesOfStandardLibrary = ["s", "S"].map { symbolPrefix + $0 }

  // MARK: Modules

  /// The module at the start of the name, or nil if there isn't one.
  package var module: String? {
    var cursor = Cursor(bytes)
    return cursor.identifier()
  }

  /// The letters of protocols and nominal types.
  private static var kinds: String.UTF8View { "VCOP".utf8 }

  /// The module of the outermost type around a function, and the module that extends that type.
  ///
  /// The value is nil unless the name begins in a simple form: with the module and the types around
  /// the function, or with an extension of such a type.
  package var modules: (ofType: String, ofExtension: String?)? {
    var cursor = Cursor(bytes)
    guard let module = cursor.identifier() else { return nil }
    var hasType = false
    while let name = cursor.identifier() {
      // This is the name of a module that extends the preceding type.
      if hasType, cursor.skip("E") { return (module, name) }
      guard cursor.skip(oneOf: Self.kinds) != nil else { break }
      hasType = true
    }
    return (module, nil)
  }

  /// A Boolean value that indicates whether a function can be in another module's extension of the
  /// type that the name begins with. The names of all functions in extensions have an `E`, and `AA`
  /// stands for the type's own module.
  package var mayBeInExtension: Bool {
    var cursor = Cursor(bytes)
    _ = cursor.identifier()
    while true {
      var next = cursor
      guard next.identifier() != nil, next.skip(oneOf: Self.kinds) != nil else { break }
      cursor = next
    }
    guard let first = cursor.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return false
    }
    // The end of a generic signature, followed by an extension.
    if cursor.rest.firstRange(of: "lE".utf8) != nil { return true }
    return cursor.identifier() != nil && cursor.skip("E")
  }

  // MARK: Repeated types

  /// The maximum number of substitutions after a generic type. Of 141,470 symbols of this package
  /// and the toolchain, 42 have more.
  private static let maxRepeats = 16

  /// A Boolean value that indicates whether the demangled name can be much longer than this name.
  ///
  /// A substitution (`A`) stands for an earlier type. If that is a generic type whose arguments are
  /// substitutions, too, each one can double the length: 12 levels of `Pair<T, T>` in a symbol of
  /// 89 bytes become 41,000 characters, and 30 levels don't fit into memory.
  var repeatsManyTypes: Bool {
    var cursor = Cursor(bytes)
    var (isAfterGeneric, repeats) = (false, 0)
    while let first = cursor.first {
      if cursor.identifier() != nil { continue }
      _ = cursor.skipPart()
      if first == UInt8(ascii: "G") { isAfterGeneric = true }
      guard first == UInt8(ascii: "A"), isAfterGeneric else { continue }
      // Lowercase letters are followed by more substitutions. A number before a letter repeats it.
      while true {
        let count = cursor.number() ?? 1
        guard let letter = cursor.skipPart() else { break }
        repeats += letter == UInt8(ascii: "_") ? 1 : min(count, Self.maxRepeats + 1)
        guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) else { break }
      }
    }
    return repeats > Self.maxRepeats
  }

  // MARK: Functions that the compiler adds

  /// The suffixes of functions that are made for another one: the async function pointer (`Tu`),
  /// the function that forwards captured values (`TA`), and the merged code of several equal
  /// functions (`Tm`).
  private static let suffixesOfThunks = ["Tu", "TA", "Tm"]

  /// Returns the symbol of the function that a compiler-generated function calls, or the symbol
  /// itself.
  package static func callee(of symbol: String) -> String {
    guard symbol.hasPrefix(symbolPrefix) else { return symbol }
    var callee = symbol.prefix { $0 != "." }
    while let suffix = suffixesOfThunks.first(where: { callee.hasSuffix($0) }) {
      callee = callee.dropLast(suffix.count)
    }
    return String(callee)
  }

  /// Returns whether a function is the specialization of a reabstraction thunk (`TR`, followed by
  /// generic arguments and `TG` or `Tg`). The demangler doesn't call it a thunk.
  package static func isSpecializedThunk(_ symbol: String) -> Bool {
    guard let name = MangledName(symbol: callee(of: symbol)) else { return false }
    let letters = name.letters(includingIdentifiers: false)
    // The last letter is the number of the optimizer's pass.
    let end = letters.dropLast().suffix(2)
    return (end.elementsEqual("TG".utf8) || end.elementsEqual("Tg".utf8))
      && letters.firstRange(of: Array("TR".utf8)) != nil
  }

  /// Returns whether a function is the part of an asynchronous function after an `await`.
  package static func isResumption(_ symbol: String) -> Bool {
    functionOfResumption(symbol.utf8[...]) != nil
  }

  /// Returns the symbol of the asynchronous function of which a function is the part after an
  /// `await`, or nil if it isn't one.
  package static func functionOfResumption(_ symbol: String) -> Substring? {
    functionOfResumption(symbol.utf8[...]).map { Substring($0) }
  }

  /// Returns the symbol without the suffix of a part after an `await`, which is `TQ` or `TY`, an
  /// index, and an underscore. Returns nil if it doesn't have that suffix.
  package static func functionOfResumption<Symbol: BidirectionalCollection<UInt8>>(
    _ symbol: Symbol
  ) -> Symbol.SubSequence? {
    guard symbol.last == UInt8(ascii: "_") else { return nil }
    var whole = symbol.dropLast()
    while let last = whole.last, UInt8(ascii: "0")...UInt8(ascii: "9") ~= last {
      whole = whole.dropLast()
    }
    guard whole.last == UInt8(ascii: "Q") || whole.last == UInt8(ascii: "Y"),
      whole.dropLast().last == UInt8(ascii: "T")
    else { return nil }
    return whole.dropLast(2)
  }

  /// Returns whether a function is in the expansion of a macro. Its name has the operator `fM`, a
  /// kind of macro, and an underscore.
  package static func isOfMacro(_ symbol: String) -> Bool {
    ["fMp_", "fMu_", "fMf_"].contains { symbol.contains($0) }
  }

  // MARK: Types

  /// Returns whether a module has a structure or an enumeration at its top level, if the runtime
  /// finds it by name.
  package static func isValueType(_ type: some StringProtocol, in module: some StringProtocol)
    -> Bool
  {
    let name = identifier(module) + identifier(type)
    return ["V", "O"].contains { _typeByName(name + $0) != nil }
  }

  /// The strings around the mangled name of a type that reflection hides, in the symbol of the
  /// reference to the function that returns its metadata (`IRGenModule::getTypeRef` in the
  /// compiler).
  package static let hiddenTypeStart = Array("get_type_metadata ".utf8)
  private static let hiddenTypeEnd = Array(" noncopyable".utf8)

  /// Returns the end of the mangled name of a hidden type, given the rest of the symbol. Swift 6.2
  /// writes only a period and a number after it.
  package static func endOfHiddenType(_ text: [UInt8]) -> Int? {
    text.firstRange(of: hiddenTypeEnd)?.lowerBound ?? text.lastIndex(of: UInt8(ascii: "."))
  }
}
