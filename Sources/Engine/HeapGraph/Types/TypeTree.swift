import ProcessMemory
import SwiftRuntime

/// A type in the memory of a process, as far as its name says how its values are laid out.
indirect enum TypeTree: Hashable, Sendable {
  /// A structure, an enumeration or a class, by its descriptor.
  case nominal(UInt, arguments: [TypeTree])
  /// A type with metadata.
  case metadata(UInt)
  case parameter(GenericParameter)
  /// A type that a conformance of another type states, by its name.
  case associated(TypeTree, String)
  case tuple([TypeTree])
  case optional(TypeTree)
  /// The code and the context of a function.
  case function
  /// A strong reference in one word: to an object, to a box, to the storage of a collection.
  case reference
  /// A weak or unowned reference to a value of a type, which isn't the address of the object or
  /// doesn't retain it.
  case uncounted(TypeTree)
  /// An unmanaged reference, whose owner may release it.
  case unmanaged
  /// A value of any type that conforms to protocols, by their descriptors. A descriptor is 0 if it
  /// isn't known.
  case existential([UInt], isOfClass: Bool)
  /// A number, by its size in bytes.
  case number(Int)
  case boolean
  /// The address of memory.
  case pointer
  /// An `ObjectIdentifier`, which doesn't lead to its object.
  case identifier
  case string
  /// A reference to an object of any kind, with other bits.
  case bridgedObject
  /// A number as a generic argument.
  case integer(Int)
  /// A type that isn't understood.
  case unknown
}

/// Parses the mangled names of types in the memory of a process (`lib/Demangling/Demangler.cpp` in
/// the Swift repository). Names are in postfix notation, so a part isn't understood without what
/// comes before it.
struct TypeTreeParser {
  private enum Item {
    case type(TypeTree)
    /// A protocol, by its descriptor or 0.
    case proto(UInt)
    case identifier(String)
    case module(String)
    case emptyList
    case firstElement
    /// `async`, `throws` and the like.
    case annotation
  }

  private let memory: ProcessMemory
  private let metadata: MetadataReader
  private var address: UInt
  private var stack: [Item] = []
  private var substitutions: [Item] = []
  private var stepsLeft = 1024

  /// Returns the type with the name at an address. What isn't understood is unknown.
  static func type(
    at address: UInt, _ memory: ProcessMemory, _ metadata: MetadataReader
  ) -> TypeTree {
    guard address != 0 else { return .unknown }
    var parser = TypeTreeParser(memory, metadata, address)
    guard parser.parse(), parser.stack.count == 1, case .type(let type) = parser.stack[0] else {
      return .unknown
    }
    return type
  }

  private init(_ memory: ProcessMemory, _ metadata: MetadataReader, _ address: UInt) {
    self.memory = memory
    self.metadata = metadata
    self.address = address
  }

  // MARK: Bytes

  private func peek() -> UInt8? {
    memory.half(address & ~3).map { UInt8(truncatingIfNeeded: $0 >> ((address & 3) * 8)) }
  }

  private mutating func next() -> UInt8? {
    guard let byte = peek() else { return nil }
    address &+= 1
    return byte
  }

  private mutating func nextLetter() -> Character? { next().map { Character(Unicode.Scalar($0)) } }

  private mutating func skip(_ letter: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: letter) else { return false }
    address &+= 1
    return true
  }

  private mutating func number() -> Int? {
    var number: Int?
    while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      guard (number ?? 0) < 1 << 20 else { return nil }
      number = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
      address &+= 1
    }
    return number
  }

  /// Reads an index: `_` is 0, and `0_` is 1.
  private mutating func index() -> Int? {
    if skip("_") { return 0 }
    guard let number = number(), skip("_") else { return nil }
    return number + 1
  }

  // MARK: Operators

  private mutating func parse() -> Bool {
    while let first = next() {
      guard first != 0 else { return true }
      stepsLeft -= 1
      guard stepsLeft > 0, let item = item(first) else { return false }
      if let item { stack.append(item) }
    }
    return false
  }

  /// Returns what an operator adds, or `.some(nil)` if it adds nothing. Returns nil if it isn't
  /// understood.
  private mutating func item(_ first: UInt8) -> Item?? {
    if first < 0x20 { return reference(first).map { .some($0) } }
    if (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first) {
      address &-= 1
      return identifier().map { .some($0) }
    }
    switch Character(Unicode.Scalar(first)) {
    case "y": return .emptyList
    case "_": return .firstElement
    case "s": return .module(CollectionLayout.module)
    case "K": return .annotation
    case "n", "z", "h": return wrapped { $0 }
    case "x": return .type(.parameter(GenericParameter(depth: 0, index: 0)))
    case "q": return parameter().map { .type(.parameter($0)) }
    case "S": return standard().map { .some($0) }
    case "Q": return associated()
    case "A": return repeated() ? .some(nil) : nil
    case "B": return builtin().map { .type($0) }
    case "L": return local().map { .some($0) }
    case "V", "O": return declared { _, _ in .unknown }
    case "C": return declared { _, _ in .reference }
    case "P": return declaredProtocol()
    case "t": return tuple().map { .type(.tuple($0)) }
    case "G": return bound().map { .some($0) }
    case "c": return function().map { .type($0) }
    case "p": return protocols().map { .type(.existential($0, isOfClass: false)) }
    case "X": return extended()
    case "Y": return attribute()
    case "I": return lowered().map { .type($0) }
    case "m": return wrapped { _ in .unknown }
    case "$": return index().map { .type(.integer($0)) }
    default: return nil
    }
  }

  private mutating func add(_ item: Item) -> Item {
    substitutions.append(item)
    return item
  }

  private mutating func popType() -> TypeTree? {
    guard case .type(let type)? = stack.last else { return nil }
    stack.removeLast()
    return type
  }

  private mutating func popEmptyList() -> Bool {
    guard case .emptyList? = stack.last else { return false }
    stack.removeLast()
    return true
  }

  private mutating func popFirstElement() -> Bool {
    guard case .firstElement? = stack.last else { return false }
    stack.removeLast()
    return true
  }

  private mutating func wrapped(_ wrap: (TypeTree) -> TypeTree) -> Item?? {
    popType().map { .type(wrap($0)) }
  }

  /// Reads a symbolic reference. Its distance begins at the current position.
  private mutating func reference(_ kind: UInt8) -> Item? {
    guard kind == 1 || kind == 2, let target = distance() else { return nil }
    var descriptor = target
    if kind == 2 {
      guard let loaded = memory.word(target) else { return nil }
      descriptor = loaded
    }
    guard let flags = metadata.descriptorFlags(descriptor) else { return nil }
    if flags.kind == DescriptorFlags.Kind.protocolType { return add(.proto(descriptor)) }
    return flags.isType ? add(.type(.nominal(descriptor, arguments: []))) : nil
  }

  private mutating func distance() -> UInt? {
    let start = address
    var bytes: UInt32 = 0
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      guard let byte = next() else { return nil }
      bytes |= UInt32(byte) << shift
    }
    return start &+ UInt(bitPattern: Int(Int32(bitPattern: bytes)))
  }

  private mutating func identifier() -> Item? {
    guard let count = number(), count < 1 << 10 else { return nil }
    var text: [UInt8] = []
    for _ in 0..<count {
      guard let byte = next(), byte != 0 else { return nil }
      text.append(byte)
    }
    return add(.identifier(String(decoding: text, as: UTF8.self)))
  }

  private mutating func parameter() -> GenericParameter? {
    guard skip("d") else { return index().map { GenericParameter(depth: 0, index: $0 + 1) } }
    guard let depth = index(), let index = index() else { return nil }
    return GenericParameter(depth: depth + 1, index: index)
  }

  /// The types of the standard library with a letter.
  private static let standardTypes: [Character: TypeTree] = [
    "i": .number(8), "u": .number(8), "d": .number(8), "f": .number(4), "b": .boolean,
    "O": .identifier, "S": .string, "J": .string, "V": .pointer, "v": .pointer,
    "P": .pointer, "p": .pointer, "a": .reference, "D": .reference, "h": .reference,
  ]

  /// Types of `_Concurrency` with a letter after `Sc`. A task, a stream and a checked continuation
  /// are structures with a reference. Others have the address of a task.
  private static let concurrencyTypes: [Character: TypeTree] = [
    "T": .reference, "S": .reference, "s": .reference, "C": .reference, "M": .reference,
    "c": .number(8), "J": .number(8), "P": .number(1),
  ]
  private static let standardProtocols: Set<Character> = [
    "B", "E", "e", "F", "G", "H", "j", "K", "k", "L", "l", "M", "m", "Q", "T", "t", "U", "X", "x",
    "Y", "y", "Z", "z",
  ]

  private mutating func standard() -> Item? {
    let count = number() ?? 1
    guard count < 64, let letter = nextLetter() else { return nil }
    switch letter {
    case "o": return .module("__C")
    case "C": return .module("__C_Synthesized")
    case "g": return popType().map { add(.type(.optional($0))) }
    case "q": return .type(.optional(.unknown))
    // A second letter follows: a type of `_Concurrency`.
    case "c":
      guard let letter = nextLetter() else { return nil }
      return letter == "A" ? .proto(Self.actor) : .type(Self.concurrencyTypes[letter] ?? .unknown)
    default:
      let item =
        Self.standardProtocols.contains(letter)
        ? Item.proto(Self.value) : Item.type(Self.standardTypes[letter] ?? .unknown)
      stack += Array(repeating: item, count: count - 1)
      return item
    }
  }

  /// Pushes earlier parts again: `A`, then a letter for each of them, the last one in upper case.
  private mutating func repeated() -> Bool {
    while let byte = next() {
      var count = 1
      var letter = byte
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_") {
        address &-= 1
        let number = number()
        if skip("_") {
          // A large index.
          let index = (number.map { $0 + 1 } ?? 0) + 26
          guard substitutions.indices.contains(index) else { return false }
          stack.append(substitutions[index])
          return true
        }
        guard let number, number < 64, let following = next() else { return false }
        (count, letter) = (number, following)
      }
      let isLast = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
      guard isLast || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) else { return false }
      let index = Int(letter - (isLast ? UInt8(ascii: "A") : UInt8(ascii: "a")))
      guard substitutions.indices.contains(index) else { return false }
      stack += Array(repeating: substitutions[index], count: count)
      if isLast { return true }
    }
    return false
  }

  private mutating func builtin() -> TypeTree? {
    switch nextLetter() {
    case "i", "f":
      guard let bits = index().map({ $0 - 1 }), bits > 0, bits <= 512 else { return nil }
      if bits == 1 { return .boolean }
      let size = (bits + 7) / 8
      return size.nonzeroBitCount == 1 ? .number(size) : .unknown
    case "o": return .reference
    case "b": return .bridgedObject
    case "p": return .pointer
    case "w", "c": return .number(8)
    default: return .unknown
    }
  }

  /// Reads an associated type of a generic parameter or of another type.
  private mutating func associated() -> Item?? {
    var base: TypeTree?
    guard let letter = nextLetter(), "xyzXYZ".contains(letter) else { return nil }
    switch letter {
    case "z", "Z": base = .parameter(GenericParameter(depth: 0, index: 0))
    case "y", "Y":
      guard let parameter = parameter() else { return nil }
      base = .parameter(parameter)
    default: break
    }
    // An associated type of an associated type has a list of names.
    var names: [String] = []
    var isLast = true
    repeat {
      if letter.isUppercase { isLast = popFirstElement() }
      if case .proto? = stack.last { stack.removeLast() }
      guard case .identifier(let name)? = stack.popLast() else { return nil }
      names.append(name)
    } while !isLast
    guard let first = base ?? popType() else { return nil }
    return add(.type(names.reversed().reduce(first) { .associated($0, $1) }))
  }

  private mutating func local() -> Item? {
    if skip("L") {
      guard case .identifier? = stack.popLast(), case .identifier(let name)? = stack.popLast()
      else { return nil }
      return .identifier(name)
    }
    guard index() != nil, case .identifier(let name)? = stack.popLast() else { return nil }
    return .identifier(name)
  }

  /// Pops a name and what is around the declaration.
  private mutating func popDeclaration() -> (module: String?, name: String)? {
    guard case .identifier(let name)? = stack.popLast(), let context = stack.popLast() else {
      return nil
    }
    switch context {
    case .module(let module), .identifier(let module): return (module, name)
    case .type: return (nil, name)
    default: return nil
    }
  }

  private mutating func declared(_ type: (String?, String) -> TypeTree) -> Item?? {
    popDeclaration().map { add(.type(type($0.module, $0.name))) }
  }

  private mutating func declaredProtocol() -> Item?? {
    popDeclaration().map { _ in add(.proto(0)) }
  }

  private mutating func tuple() -> [TypeTree]? {
    if popEmptyList() { return [] }
    var elements: [TypeTree] = []
    while true {
      let isFirst = popFirstElement()
      if case .identifier? = stack.last { stack.removeLast() }
      guard let type = popType() else { return nil }
      elements.insert(type, at: 0)
      if isFirst { return elements }
    }
  }

  private mutating func bound() -> Item? {
    var lists: [[TypeTree]] = []
    while true {
      var list: [TypeTree] = []
      while let type = popType() { list.insert(type, at: 0) }
      lists.append(list)
      if popEmptyList() { break }
      guard popFirstElement() else { return nil }
    }
    guard let type = popType() else { return nil }
    let arguments = Array(lists.reversed().joined())
    switch type {
    case .nominal(let descriptor, _):
      return add(.type(.nominal(descriptor, arguments: arguments)))
    case .optional:
      return arguments.count == 1 ? add(.type(.optional(arguments[0]))) : nil
    default: return add(.type(type))
    }
  }

  private mutating func function() -> TypeTree? {
    while case .annotation? = stack.last { stack.removeLast() }
    for _ in 0..<2 where !popEmptyList() {
      guard popType() != nil else { return nil }
    }
    return .function
  }

  private mutating func protocols() -> [UInt]? {
    if popEmptyList() { return [] }
    var found: [UInt] = []
    while true {
      let isFirst = popFirstElement()
      if case .proto(let descriptor)? = stack.last {
        stack.removeLast()
        found.append(descriptor)
      } else {
        guard let declaration = popDeclaration() else { return nil }
        let isMarker =
          declaration.module == CollectionLayout.module && Self.markers.contains(declaration.name)
        guard !isMarker else {
          if isFirst { return found }
          continue
        }
        // An error is a reference to a box.
        let isError = declaration.module == CollectionLayout.module && declaration.name == "Error"
        found.append(isError ? Self.error : 0)
      }
      if isFirst { return found }
    }
  }

  /// The protocols without requirements, which aren't in values.
  private static let markers: Set = ["Sendable", "Copyable", "Escapable", "BitwiseCopyable"]
  /// Stands for the descriptor of `Swift.Error`.
  static let error: UInt = 1
  /// Stands for the descriptor of `Actor`.
  static let actor: UInt = 2
  /// Stands for the descriptor of a protocol to which types of any kind conform.
  static let value: UInt = 3

  private mutating func extended() -> Item?? {
    switch nextLetter() {
    case "w", "o": return wrapped { .uncounted($0) }
    case "u": return wrapped { _ in .unmanaged }
    case "b": return wrapped { _ in .reference }
    // The box of captured variables, with their types.
    case "x": return tuple().map { _ in .type(.reference) }
    case "l": return protocols().map { .type(.existential($0, isOfClass: true)) }
    case "c":
      guard popType() != nil else { return nil }
      return protocols().map { .type(.existential($0, isOfClass: true)) }
    case "f", "C", "K":
      return function().map { _ in .type(.pointer) }
    default: return nil
    }
  }

  private mutating func attribute() -> Item?? {
    switch nextLetter() {
    case "a", "b", "A", "T", "C": return .annotation
    case "K", "c": return popType().map { _ in .annotation }
    case "i", "u", "t": return wrapped { $0 }
    default: return nil
    }
  }

  /// Reads a function type of the optimizer: how the function, its parameters and its results are
  /// passed.
  private mutating func lowered() -> TypeTree? {
    _ = skip("P")
    _ = skip("e")
    _ = skip("A")
    guard let convention = nextLetter() else { return nil }
    var count = 0
    while let letter = nextLetter(), letter != "_" {
      switch letter {
      case "i", "c", "l", "b", "n", "x", "g", "e", "y", "r", "o", "d", "u", "a": count += 1
      case "h", "H", "T", "z", "w", "K", "M": continue
      default: return nil
      }
    }
    for _ in 0..<count {
      guard popType() != nil else { return nil }
    }
    return "gxy".contains(convention) ? .function : "t".contains(convention) ? .pointer : nil
  }
}
