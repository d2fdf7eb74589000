import CRuntime.Heap
import ProcessMemory
import SwiftRuntime

/// The words of values that are certainly strong references, or 0. A word is certain if the type of
/// the value says so for every value. That of an enumeration does if each payload is one reference.
extension heap_strong {
  static var reference: heap_strong { words(1) }
  /// A function: its code and its context.
  static var function: heap_strong { words(2, contexts: 2) }

  private static func words(_ references: UInt64, contexts: UInt64 = 0) -> heap_strong {
    heap_strong(references: references, contexts: contexts, optional: 0, first: 0)
  }

  /// Returns the words of the value in a larger one.
  ///
  /// - Parameter offset: The offset of the value, in bytes.
  func moved(to offset: Int) -> heap_strong {
    guard offset % 8 == 0, abs(offset) < 64 * 8 else { return heap_strong() }
    let words = offset / 8
    return heap_strong(
      references: references << words, contexts: contexts << words, optional: optional << words,
      first: UInt8(clamping: Int(first) + words))
  }

  /// Adds the words of another part of the same value. Only one part can be an optional structure.
  mutating func add(_ other: heap_strong) {
    let hasRoom = optional == 0 || other.optional == 0
    references |= hasRoom ? other.references : other.references & ~other.optional
    contexts |= other.contexts
    if other.optional != 0, hasRoom { (optional, first) = (other.optional, other.first) }
  }
}

extension ObjectTypes.Field {
  /// The words of the field that are certainly strong references.
  var strong: heap_strong {
    if let strongOfType { return strongOfType }
    switch (strength, form) {
    case (.strong, .closure): return size >= FunctionValueLayout.size ? .function : heap_strong()
    case (.strong, _): return .reference
    // The value of a protocol for classes. A container of another value is larger.
    case (.possible, .existential) where size <= ExistentialLayout.type: return .reference
    default: return heap_strong()
    }
  }
}

extension ObjectTypes {
  /// The maximum depth of values in values.
  private static let maxNested = 8

  /// Returns the words of a value that are certainly strong references, given the metadata of its
  /// type.
  func strongWords(ofValues type: UInt, depth: Int = 0) -> heap_strong {
    guard depth < Self.maxNested, metadata.isType(type), let kind = memory.word(type) else {
      return heap_strong()
    }
    switch kind {
    case Metadata.Kind.classType, Metadata.Kind.foreignClass: return .reference
    case Metadata.Kind.function:
      return FunctionTypeLayout.hasContext(ofType: type, memory.word) ? .function : heap_strong()
    case Metadata.Kind.existential:
      return size(ofValues: type).map { $0 <= ExistentialLayout.type } == true
        ? .reference : heap_strong()
    case Metadata.Kind.optional:
      guard let wrapped = memory.word(type &+ ValueTypeLayout.arguments) else { break }
      return strongWords(ofOptional: wrapped, depth: depth + 1)
    case Metadata.Kind.tuple: return strongWords(ofTuple: type, depth)
    case Metadata.Kind.structType:
      guard let descriptor = memory.word(type &+ ValueTypeLayout.descriptor) else { break }
      if let name = metadata.nameInStandardLibrary(descriptor) {
        return Self.references.contains(name) ? .reference : heap_strong()
      }
      return size(ofValues: type).map {
        fields(ofStructure: type, stride: $0).strong
      } ?? heap_strong()
    case Metadata.Kind.enumType:
      guard let descriptor = memory.word(type &+ ValueTypeLayout.descriptor) else { break }
      return strongWords(ofEnumeration: descriptor)
    default: break
    }
    return heap_strong()
  }

  /// The structures of the standard library that consist of a reference.
  private static let references: Set = ["Array", "ContiguousArray", "Dictionary", "Set"]

  /// Returns the words of an optional value that are certainly strong references. If it is nil, a
  /// reference is 0, but other words of a larger value can be anything.
  func strongWords(ofOptional wrapped: UInt, depth: Int = 0) -> heap_strong {
    guard let kind = memory.word(wrapped) else { return heap_strong() }
    let words = strongWords(ofValues: wrapped, depth: depth)
    switch kind {
    case Metadata.Kind.classType, Metadata.Kind.foreignClass, Metadata.Kind.function,
      Metadata.Kind.existential:
      return words
    case Metadata.Kind.structType:
      if size(ofValues: wrapped) == ObjectLayout.reference { return words }
      return size(ofValues: wrapped).map {
        fields(ofStructure: wrapped, stride: $0).strongIfOptional
      } ?? heap_strong()
    default:
      return heap_strong()
    }
  }

  /// Returns the words of an enumeration that are certainly strong references, given its
  /// descriptor. If the payload of each case is a reference, the word is one, or is a small number.
  func strongWords(ofEnumeration descriptor: UInt) -> heap_strong {
    guard let cases = records(descriptor) else { return heap_strong() }
    let payloads = cases.filter { $0.type != 0 }.map { FieldType($0.type, memory, metadata) }
    let areReferences = payloads.allSatisfy {
      $0.strength == .strong && $0.size == ObjectLayout.reference
    }
    return areReferences && !payloads.isEmpty ? .reference : heap_strong()
  }

  private func strongWords(ofTuple type: UInt, _ depth: Int) -> heap_strong {
    var words = heap_strong()
    guard let count = memory.word(type &+ TupleLayout.count), count <= 64 else { return words }
    for index in 0..<count {
      let element = type &+ TupleLayout.elements &+ index * TupleLayout.elementSize
      guard let part = memory.word(element),
        let offset = memory.word(element &+ MetadataLayout.wordSize), offset < 64 * 8
      else { return heap_strong() }
      words.add(strongWords(ofValues: part, depth: depth + 1).moved(to: Int(offset)))
    }
    return words
  }

  /// Returns what is known about a value of a type in an existential container.
  func contained(_ type: UInt) -> heap_contained {
    guard let used = usedBytes(ofContained: type) else {
      return heap_contained(size: -1, strong: heap_strong())
    }
    guard used > 0 else { return heap_contained(size: 0, strong: heap_strong()) }
    let isInline = size(ofValues: type) == used
    // A value that isn't inline is in a box. So is the reference to an object.
    return heap_contained(
      size: used, strong: isInline ? strongWords(ofValues: type) : .reference)
  }

  // MARK: Generic parameters

  /// Returns the position of a generic parameter of a type among the generic arguments in its
  /// metadata, or nil if it isn't known.
  func index(of parameter: GenericParameter, inType descriptor: UInt) -> Int? {
    guard parameter.depth <= 1, let own = parameters(of: descriptor) else { return nil }
    var first = 0
    if parameter.depth == 1 {
      guard let outer = parent(of: descriptor), let around = parameters(of: outer) else {
        return nil
      }
      first = around
    }
    let index = first + parameter.index
    return index < own ? index : nil
  }

  /// Returns the number of generic parameters of a type, an extension or what is around a private
  /// type, with those of the types around it. Returns nil if some of them aren't arguments in
  /// metadata.
  private func parameters(of descriptor: UInt) -> Int? {
    typealias Layout = GenericContextLayout
    guard let flags = metadata.descriptorFlags(descriptor), flags.isGeneric,
      let start = Layout.parameterCount(flags.kind).map({ descriptor &+ $0 }),
      let counts = memory.half(start & ~3)
    else { return nil }
    let count = Int(counts >> (UInt32(start & 3) * 8) & 0xFFFF)
    guard count <= 64 else { return nil }
    for index in 0..<UInt(count) {
      let place = start &+ Layout.parameters &+ index
      guard let four = memory.half(place & ~3),
        four >> (UInt32(place & 3) * 8) & 0xFF == Layout.isTypeWithArgument
      else { return nil }
    }
    return count
  }

  /// Returns the size of the values of a type in bytes, given its metadata.
  func size(ofValues type: UInt) -> Int? {
    let kind = memory.word(type)
    if kind == Metadata.Kind.classType || kind == Metadata.Kind.foreignClass {
      return ObjectLayout.reference
    }
    return layout(ofValues: type)?.size
  }
}

extension [ObjectTypes.Field] {
  /// The words of an object or a structure that are certainly strong references.
  var strong: heap_strong {
    reduce(into: heap_strong()) { $0.add($1.strong.moved(to: $1.offset)) }
  }

  /// The words of an optional structure that are certainly strong references.
  ///
  /// If it is nil, that shows in the first field with the most values that aren't in use, and the
  /// other fields can have any words. References have more of them than numbers, so it is the first
  /// reference if only numbers come before it.
  var strongIfOptional: heap_strong {
    let sorted = sorted { $0.offset < $1.offset }
    guard let start = sorted.first?.offset,
      let first = sorted.first(where: { $0.strength != .pointer }),
      first.strength == .strong, first.form != .closure, !first.isOptional,
      (first.offset - start) % 8 == 0, first.offset / 8 < 64
    else { return heap_strong() }
    var words = heap_strong()
    for field in sorted where field.strong.optional == 0 {
      // The code of a function says nothing if the structure is nil.
      if field.form != .closure || !field.isOptional {
        words.add(field.strong.moved(to: field.offset))
      }
    }
    return heap_strong(
      references: words.references, contexts: 0, optional: words.references,
      first: UInt8(first.offset / 8))
  }
}
