import ProcessMemory
import SwiftRuntime

/// The associated types that the conformances of a program and its libraries state.
final class AssociatedTypes {
  /// A type that conforms to a protocol.
  private enum Conforming: Hashable {
    case descriptor(UInt)
    /// A type of the standard library.
    case standard(String)
  }

  private struct Key: Hashable {
    let type: Conforming
    let name: String
  }

  private unowned let types: ObjectTypes
  private let memory: ProcessMemory
  private let metadata: MetadataReader
  private let sections: (String) -> [Range<UInt>]
  /// The types, or nil if conformances to several protocols state different ones.
  private lazy var known: [Key: TypeTree?] = read()
  private static let maxTypes = 1 << 20
  private static let maxSuperclasses = 32

  init(_ types: ObjectTypes, _ sections: @escaping (String) -> [Range<UInt>]) {
    self.types = types
    memory = types.memory
    metadata = types.metadata
    self.sections = sections
  }

  /// Returns what an associated type of a type is, or nil if it isn't known.
  ///
  /// - Parameter resolving: Returns a type with generic arguments of the type that conforms, given
  ///   its descriptor.
  func type(
    _ name: String, of type: TypeTree,
    resolving: (TypeTree, UInt, TypeLayouts.Arguments) -> TypeTree
  ) -> TypeTree? {
    switch type {
    case .nominal(let descriptor, let arguments):
      return found(name, of: descriptor).map { resolving($0, descriptor, .types(arguments)) }
    case .metadata(let type):
      var next = type
      for _ in 0..<Self.maxSuperclasses {
        guard metadata.isType(next), let kind = memory.word(next) else { return nil }
        let isClass = kind == Metadata.Kind.classType
        let place = isClass ? ClassLayout.descriptor : ValueTypeLayout.descriptor
        let hasDescriptor =
          [Metadata.Kind.structType, Metadata.Kind.enumType, Metadata.Kind.optional]
          .contains(kind)
        guard isClass || hasDescriptor, let descriptor = memory.word(next &+ place) else {
          return nil
        }
        if let found = found(name, of: descriptor) {
          let arguments =
            isClass ? types.arguments(ofClass: next) : next &+ ValueTypeLayout.arguments
          return resolving(found, descriptor, arguments.map { .metadata($0) } ?? .none)
        }
        // A subclass conforms to what its superclass does.
        guard isClass, let superclass = memory.word(next &+ ClassLayout.superclass) else {
          return nil
        }
        next = superclass
      }
      return nil
    default: return nil
    }
  }

  private func found(_ name: String, of descriptor: UInt) -> TypeTree? {
    if let found = known[Key(type: .descriptor(descriptor), name: name)] { return found }
    return metadata.nameInStandardLibrary(descriptor)
      .flatMap { known[Key(type: .standard($0), name: name)] ?? nil }
  }

  private func read() -> [Key: TypeTree?] {
    typealias Layout = AssociatedTypesLayout
    var found: [Key: TypeTree?] = [:]
    for section in sections(Layout.section) {
      var start = section.lowerBound
      while start &+ Layout.header <= section.upperBound, found.count < Self.maxTypes,
        let count = memory.half(start &+ Layout.count), count < 1 << 10,
        let size = memory.half(start &+ Layout.recordSize), size >= 8, size < 1 << 10
      {
        let type = metadata.target(ofRelative: start).flatMap(conforming)
        for index in 0..<UInt(count) {
          let record = start &+ Layout.header &+ index * UInt(size)
          guard let type,
            let name = metadata.target(ofRelative: record).flatMap({ memory.text($0) }),
            let stated = metadata.target(ofRelative: record &+ Layout.type)
          else { continue }
          let key = Key(type: type, name: name)
          let tree = TypeTreeParser.type(at: stated, memory, metadata)
          if let other = found[key], other != tree {
            found[key] = .some(nil)
          } else {
            found[key] = .some(tree)
          }
        }
        start &+= Layout.header &+ UInt(count) * UInt(size)
      }
    }
    return found
  }

  /// The types of the standard library whose names consist of a letter.
  private static let standardTypes: [String: String] = [
    "Sa": "Array", "SD": "Dictionary", "Sh": "Set", "SS": "String", "Sq": "Optional",
    "Sn": "Range", "SN": "ClosedRange", "Ss": "Substring", "Si": "Int", "SJ": "Character",
  ]

  private func conforming(_ name: UInt) -> Conforming? {
    if case .nominal(let descriptor, _) = TypeTreeParser.type(at: name, memory, metadata) {
      return .descriptor(descriptor)
    }
    return memory.text(name).flatMap { Self.standardTypes[$0] }.map { .standard($0) }
  }
}
