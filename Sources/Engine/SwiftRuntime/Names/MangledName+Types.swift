/// How a field or a captured value owns what it refers to.
package enum ReferenceOwnership {
  case strong
  /// Weak, unowned or unmanaged.
  case notStrong
  /// The type isn't described, so its words can be anything.
  case unknown
}

/// The mangled names of types in metadata: of fields, captured values and generic parameters.
extension MangledName {
  // MARK: Inspecting

  /// The ownership of a field with this type. Weak, unowned and unmanaged references have their
  /// own suffixes.
  package var ownership: ReferenceOwnership {
    bytes.count > 2 && hasSuffix(oneOf: ["Xw", "Xo", "Xu"]) ? .notStrong : .strong
  }

  /// A Boolean value that indicates whether this is the box of a captured variable. The metadata of
  /// the box describes its content.
  package var isBox: Bool { hasSuffix(oneOf: ["Xx", "Xb"]) }

  /// A Boolean value that indicates whether the name is only a reference to a function that returns
  /// the metadata.
  var isTypeFunction: Bool { bytes.first == Reference.typeFunction }

  /// A Boolean value that indicates whether the name has the operator of a block, outside of
  /// identifiers.
  var containsBlock: Bool {
    letters(includingIdentifiers: false).firstRange(of: Array("XB".utf8)) != nil
  }

  /// The letters of generic parameters and opaque types.
  private static let dependent = Array("xqQ".utf8)

  /// A Boolean value that indicates whether the name can contain generic parameters. A name with
  /// one of their letters in an identifier counts, too.
  package var mayBeDependent: Bool {
    letters(includingIdentifiers: true).contains(where: Self.dependent.contains)
  }

  /// A Boolean value that indicates whether the name contains a reference to a function that
  /// returns the metadata of a type.
  package var containsTypeFunction: Bool {
    letters(includingIdentifiers: true).contains(Reference.typeFunction)
  }

  /// A Boolean value that indicates whether the name contains a parameter pack.
  package var containsPack: Bool {
    let letters = letters(includingIdentifiers: true)
    return zip(letters, letters.dropFirst()).contains { first, second in
      first == UInt8(ascii: "Q") && "pePS".utf8.contains(second)
    }
  }

  /// A Boolean value that indicates whether this is a function type in the lowered form that the
  /// optimizer uses, with a context. The runtime can't resolve these names.
  ///
  /// They end in `I`, one letter each for how the function, its parameters and its results are
  /// passed, and `_`. Unless a letter indicates otherwise, the function has a context.
  package var isLoweredFunction: Bool {
    // The function type can be optional.
    let name = hasSuffix(oneOf: ["Sg"]) ? bytes.dropLast(2) : bytes[...]
    guard name.last == UInt8(ascii: "_") else { return false }
    let letters = name.dropLast().reversed().prefix { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
    guard let start = letters.firstIndex(of: UInt8(ascii: "I")) else { return false }
    var cursor = Cursor(letters[..<start].reversed())
    for mark in "sIPeA".unicodeScalars { _ = cursor.skip(mark) }
    return cursor.skip(oneOf: "gxy".utf8) != nil
  }

  /// The position of a generic parameter, if this is the name of one: `x`, `q_`, `q0_`, ... for
  /// those of the outermost level, `qd__`, `qd_0_`, ... for those of the next one.
  package var genericParameter: (level: Int, index: Int)? {
    var cursor = Cursor(bytes)
    if cursor.skip("x") { return cursor.isAtEnd ? (0, 0) : nil }
    guard cursor.skip("q") else { return nil }
    guard cursor.skip("d") else {
      // The first parameter of the outermost level is `x`.
      guard let index = cursor.index(), cursor.isAtEnd else { return nil }
      return (0, index + 1)
    }
    guard let level = cursor.index(), let index = cursor.index(), cursor.isAtEnd else { return nil }
    return (level + 1, index)
  }

  /// Returns the name of the generic argument, if this is a structure with one argument.
  func argument(ofStructure type: String, in module: String) -> MangledName? {
    let start = Array("\(Self.identifier(module))\(Self.identifier(type))Vy".utf8)
    guard bytes.starts(with: start), bytes.last == UInt8(ascii: "G") else { return nil }
    return MangledName(Array(bytes.dropFirst(start.count).dropLast()))
  }

  static func identifier(_ text: some StringProtocol) -> String { "\(text.utf8.count)\(text)" }

  private func hasSuffix(oneOf suffixes: [String]) -> Bool {
    suffixes.contains { bytes.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }

  // MARK: Classes

  /// A Boolean value that indicates whether this is the name of a class. Such a name starts with a
  /// symbolic reference to the class descriptor. If it has generic arguments, it ends in `G`.
  package var isClass: Bool {
    guard bytes.count == Self.referenceLength || bytes.last == UInt8(ascii: "G") else {
      return false
    }
    return classDescriptor != 0
  }

  /// The address of the descriptor of the class at the start of the name, or 0 if there isn't one.
  package var classDescriptor: UInt {
    guard bytes.count >= Self.referenceLength, let kind = bytes.first, let address,
      kind == Reference.descriptor || kind == Reference.indirectDescriptor
    else { return 0 }
    var descriptor = Metadata.follow(address &+ 1)
    if kind == Reference.indirectDescriptor, descriptor != 0 {
      descriptor = Metadata.load(descriptor, as: UInt.self)
    }
    guard descriptor != 0,
      DescriptorFlags(Metadata.load(descriptor, as: UInt32.self)).kind
        == DescriptorFlags.Kind.classType
    else { return 0 }
    return descriptor
  }

  /// The length of a reference to a descriptor in bytes.
  private static let referenceLength = 1 + MemoryLayout<Int32>.size

  // MARK: Resolving

  /// Returns the type with a name in memory, in the context of a generic type. Returns nil if the
  /// name contains a block: without Objective-C, the runtime makes block types without value
  /// witnesses, and crashes when it makes the type of an optional block.
  package func type(context: UInt, arguments: UnsafeRawPointer?) -> Any.Type? {
    guard let address, let start = UnsafePointer<UInt8>(bitPattern: address), !containsBlock else {
      return nil
    }
    return resolve(start, context: context, arguments: arguments)
  }

  /// Returns the type with a name from a symbol, which has neither generic parameters nor symbolic
  /// references.
  func typeWithoutContext() -> Any.Type? {
    // Without a context, the runtime crashes on generic parameters and opaque types.
    guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }), !containsBlock,
      !letters(includingIdentifiers: false).contains(where: Self.dependent.contains)
    else { return nil }
    return (bytes + [0]).withUnsafeBufferPointer { bytes in
      bytes.baseAddress.flatMap { resolve($0, context: 0, arguments: nil) }
    }
  }

  private func resolve(
    _ start: UnsafePointer<UInt8>, context: UInt, arguments: UnsafeRawPointer?
  ) -> Any.Type? {
    _getTypeByMangledNameInContext(
      start, UInt(bytes.count), genericContext: UnsafeRawPointer(bitPattern: context),
      genericArguments: arguments)
  }
}
