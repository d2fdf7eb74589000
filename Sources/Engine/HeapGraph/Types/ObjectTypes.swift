package import CRuntime.Heap
package import ProcessMemory
import SwiftRuntime

/// What the metadata and the descriptors in the memory of a process say about its objects: their
/// classes, their fields, and which of these hold references.
///
/// The runtime that could answer that runs in the other process, so the descriptors are read
/// instead. They have the name of each field and the mangled name of its type, which shows whether
/// it is weak, unowned or unmanaged. The metadata has its offset.
package final class ObjectTypes {
  let memory: ProcessMemory
  let metadata: MetadataReader
  private var known: [UInt: Description?] = [:]
  /// The number of records of fields that may still be read. The types of a damaged process can
  /// have any number, and can be parts of each other.
  private var recordsLeft: Int
  private let sections: (String) -> [Range<UInt>]
  private(set) lazy var layouts = TypeLayouts(self, sections: sections)
  let tables = ReferenceTables()
  /// The references of closures by their types and those of generic parameters.
  var knownContexts: [[UInt]: [ValueLayout.Reference]] = [:]
  var knownParameters: [UInt: ClosureParameters?] = [:]

  /// - Parameter sections: Returns the parts of the memory that have a section, by its name, of the
  ///   program and its libraries.
  package init(
    _ memory: ProcessMemory, _ metadata: MetadataReader, maxRecords: Int = 1 << 20,
    sections: @escaping (String) -> [Range<UInt>] = { _ in [] }
  ) {
    self.memory = memory
    recordsLeft = maxRecords
    self.metadata = metadata
    self.sections = sections
  }

  /// Returns the description of the objects with metadata at an address, or nil if the address
  /// isn't metadata.
  package func description(_ address: UInt) -> Description? {
    if let known = known[address] { return known }
    let description = describe(address)
    known[address] = .some(description)
    return description
  }

  /// Returns what the search for references needs to know about blocks with a first word.
  package func classification(_ first: UInt, _ counts: UInt) -> heap_type {
    var type = heap_type()
    guard let description = description(first) else { return type }
    type.is_object = true
    type.size = UInt32(clamping: description.wholeSize ?? 0)
    type.min_size = UInt32(clamping: description.wholeSize ?? description.size)
    // The reference counts.
    type.skipped = 1 << 1 | description.weakCaptures
    type.strong = tables.table(description.references)
    type.depends_on_object = description.dependsOnObject
    type.is_task = description.kind == .task
    describeElements(of: first, description, &type)
    type.skipped |= description.wordsWithoutAddress
    for field in description.fields ?? [] where field.isContainer && field.offset < 64 * 8 {
      type.containers |= 1 << UInt64(field.offset / 8)
    }
    if description.isText { type.elements = heap_text }
    if isArrayOfNumbers(first, description) || description.isText {
      type.skipped = ~0
      type.skips_rest = true
    }
    return type
  }

  /// Returns what is known about a value of a type in an existential container.
  package func contained(_ type: UInt) -> heap_contained {
    guard let used = usedBytes(ofContained: type) else {
      return heap_contained(size: -1, is_inline: false, strong: heap_strong())
    }
    let layout = layouts.layout(ofType: type)
    // A value that isn't inline is in a box. So is the reference to an object.
    let isInline = layout?.size == used
    let references = isInline ? layout?.references ?? [] : [.init(offset: 0)]
    return heap_contained(
      size: used, is_inline: isInline, strong: tables.table(used > 0 ? references : []))
  }

  // MARK: Descriptions

  private func describe(_ address: UInt) -> Description? {
    guard let kind = metadata.kind(at: address) else { return nil }
    let header = ObjectLayout.header
    switch kind {
    case .instance, .array, .dictionary, .set:
      guard let descriptor = memory.word(address &+ ClassLayout.descriptor),
        let size = memory.half(address &+ ClassLayout.instanceSize)
      else { return nil }
      let name = qualifiedName(descriptor)
      let fields = fields(ofClass: address, depth: 0)
      return Description(
        kind: kind, name: name.name, module: name.module, fields: fields,
        references: kind == .instance ? fields?.flatMap(\.references) ?? [] : [],
        size: Int(size),
        wholeSize: kind == .instance && !mayHaveElements(address) ? Int(size) : nil)
    case .closure:
      // The code that deallocates the context has its size.
      let whole = memory.word(address &- MetadataLayout.beforeDestroy)
        .flatMap { ContextSize.size(freedBy: $0, memory) }
      let captures = captures(ofClosure: address)
      return Description(
        kind: kind, name: "closure", module: "", fields: nil, weakCaptures: captures?.weak ?? 0,
        uncountedCaptures: captures?.uncounted ?? 0, references: captures?.references ?? [],
        dependsOnObject: captures?.dependsOnObject ?? false, size: header, wholeSize: whole)
    case .box, .errorBox:
      let value = kind == .box ? value(ofBox: address) : nil
      return Description(
        kind: kind, name: "box", module: "", fields: nil,
        references: kind == .errorBox
          ? [.init(offset: ErrorBoxLayout.header, kind: .errorValue)]
          : value.map { value in value.layout.references.map { $0.moved(by: value.start) } } ?? [],
        // An error has at least a byte. Allocators return a multiple of a word.
        size: kind == .errorBox ? ErrorBoxLayout.header + ObjectLayout.reference : header,
        wholeSize: value.map { $0.start + $0.layout.size })
    case .task:
      return Description(
        kind: kind, name: "Task", module: "_Concurrency", fields: nil, size: header,
        wholeSize: nil)
    }
  }

  /// Returns the place of the value in a box, and its layout.
  private func value(ofBox address: UInt) -> (start: Int, layout: ValueLayout)? {
    guard let start = memory.half(address &+ BoxLayout.value), start < 64 * 8,
      let layout = memory.word(address &+ BoxLayout.type).flatMap(layouts.layout(ofType:))
    else { return nil }
    return (Int(start), layout)
  }

  /// The class whose subclasses have elements after their fields.
  private static let buffer = "ManagedBuffer"

  /// Returns whether the objects of a class may have elements after their fields: a subclass of
  /// `ManagedBuffer`, or a class of the toolchain.
  private func mayHaveElements(_ address: UInt) -> Bool {
    var next = address
    for _ in 0..<Self.maxDepth where next != 0 {
      guard let descriptor = memory.word(next &+ ClassLayout.descriptor),
        let superclass = memory.word(next &+ ClassLayout.superclass)
      else { return true }
      let name = qualifiedName(descriptor)
      if name.name == Self.buffer || next == address && FrameworkModules.contain(name.module) {
        return true
      }
      next = superclass
    }
    return next != 0
  }

  private static let maxDepth = 32

  private func fields(ofClass address: UInt, depth: Int) -> [Field]? {
    guard depth < Self.maxDepth, let superclass = memory.word(address &+ ClassLayout.superclass),
      let descriptor = memory.word(address &+ ClassLayout.descriptor),
      let size = memory.half(address &+ ClassLayout.instanceSize).map({ Int($0) })
    else { return nil }
    var fields: [Field] = []
    if superclass != 0 {
      guard let inherited = self.fields(ofClass: superclass, depth: depth + 1) else { return nil }
      fields = inherited
    }
    guard let flags = metadata.descriptorFlags(descriptor),
      let count = memory.half(descriptor &+ DescriptorLayout.classFieldCount), count < 1 << 16,
      let vector = memory.half(descriptor &+ DescriptorLayout.classFieldOffsets)
    else { return nil }
    guard count > 0 else { return fields }
    var offsets = address
    if flags.hasResilientSuperclass {
      guard let start = membersAfterResilientSuperclass(descriptor) else { return nil }
      offsets = address &+ start
    }
    offsets &+= UInt(vector) * MetadataLayout.wordSize
    guard vector != 0, let records = records(descriptor), records.count == Int(count) else {
      return nil
    }
    var places: [Int] = []
    for index in records.indices {
      guard let offset = memory.word(offsets &+ UInt(index) * MetadataLayout.wordSize),
        offset <= UInt(size)
      else { return nil }
      places.append(Int(offset))
    }
    return fields
      + self.fields(
        records, at: places, size: size, of: descriptor, arguments(ofClass: address))
  }

  /// Returns the fields of a type, and the parts of those that are structures.
  ///
  /// - Parameters:
  ///   - offsets: The offsets of the records.
  ///   - arguments: The address of the generic arguments, if it is known.
  private func fields(
    _ records: [FieldRecord], at offsets: [Int], size: Int, of descriptor: UInt,
    _ arguments: UInt?
  ) -> [Field] {
    let (owner, module) = qualifiedName(descriptor)
    var own = zip(records, offsets).map { record, offset -> (field: Field, structure: UInt?) in
      let type = FieldType(record.type, memory, metadata)
      let layout = layouts.layout(
        ofName: record.type, in: descriptor, arguments.map { .metadata($0) } ?? .none)
      let field = Field(
        name: record.name, owner: owner, module: module, offset: offset, size: layout?.size ?? 0,
        strength: type.strength, isOptional: type.isOptional, form: type.form,
        references: layout?.references.map { $0.moved(by: offset) } ?? [],
        addresses: layout.flatMap { layout in
          // What isn't aligned isn't an address.
          layout.size <= 64 * 8 && (offset % 8 == 0 || layout.addresses == 0)
            ? layout.addresses : nil
        })
      return (field, type.structure)
    }
    own.sort { $0.field.offset < $1.field.offset }
    for index in own.indices {
      let end = index + 1 < own.count ? own[index + 1].field.offset : size
      let whole = end - own[index].field.offset
      // The layout contradicts the offsets.
      if own[index].field.size > whole {
        own[index].field.references = []
        own[index].field.addresses = nil
      }
      own[index].field.size = whole
    }
    return own.flatMap { field, structure -> [Field] in
      guard let structure else { return [field] }
      var parts = parts(of: field, structure, depth: 0)
      guard field.isOptional else {
        parts[0].references = field.references
        return parts
      }
      // The place of the mark for nil isn't known, but a value without references
      // doesn't have any.
      let isPlain = parts.allSatisfy { $0.strength == .pointer || $0.strength == .nothing }
      return [isPlain ? field.with(.pointer) : field]
    }
  }

  /// The maximum depth of structures in structures.
  private static let maxNesting = 8

  /// Returns the parts of a field with a structure, as fields with the same name. From the first
  /// part on whose place isn't certain, all words may be references.
  private func parts(of field: Field, _ structure: UInt, depth: Int) -> [Field] {
    guard depth < Self.maxNesting, let flags = metadata.descriptorFlags(structure),
      !flags.isForeign, let records = records(structure), !records.isEmpty
    else { return [field] }
    let types = records.map { FieldType($0.type, memory, metadata) }
    guard let places = places(of: types, in: structure, size: field.size) else { return [field] }
    let isOfUser = !FrameworkModules.contain(qualifiedName(structure).module)
    var parts: [Field] = []
    for (index, (place, type)) in zip(places, types).enumerated() {
      let part = field.part(place, type, isOfUser ? records[index].name : nil)
      let nested = type.isOptional ? nil : type.structure
      parts += nested.map { self.parts(of: part, $0, depth: depth + 1) } ?? [part]
    }
    if places.count < types.count {
      parts.append(field.part((places.last?.upperBound ?? 0)..<field.size, nil, nil))
    }
    return parts
  }

  /// Returns the places of the first fields of a structure, as offsets: of all fields if the
  /// structure has metadata, and otherwise up to the last one whose place is certain. Returns nil
  /// if the metadata contradicts the types of the fields.
  ///
  /// - Parameter size: The size of the place of the structure.
  private func places(of types: [FieldType], in structure: UInt, size: Int) -> [Range<Int>]? {
    if let address = metadata.plainMetadata(ofType: structure) {
      guard let offsets = offsets(inStructure: address, count: types.count, structure),
        let whole = layout(ofValues: address), whole.size <= size, offsets.last ?? 0 <= whole.size
      else { return nil }
      // Nothing else uses the rest of the place.
      let places = zip(offsets, offsets.dropFirst() + [size]).map { $0..<$1 }
      return zip(places, types).allSatisfy { $0.count >= $1.size ?? 0 } ? places : nil
    }
    var places: [Range<Int>] = []
    var next = 0
    for (index, type) in types.enumerated() {
      let isLast = index == types.count - 1
      if let known = layout(of: type) {
        let offset = CollectionLayout.start(after: next, alignment: known.alignment)
        guard offset + known.size <= size else { return nil }
        next = offset + known.size
        places.append(offset..<(isLast ? size : next))
      } else if isLast, index == 0 || type.isOptional || type.structure == nil {
        // The last part has the rest. A part of unknown size that isn't a structure has the same
        // meaning in all words. A structure can have a larger alignment, unless it is the only
        // part.
        let offset = CollectionLayout.start(after: next, alignment: ObjectLayout.reference)
        return offset < size ? places + [offset..<size] : places
      } else {
        break
      }
    }
    return places
  }

  /// Returns the offsets of the fields in the metadata of a structure.
  func offsets(inStructure address: UInt, count: Int, _ descriptor: UInt) -> [Int]? {
    guard let vector = memory.half(descriptor &+ DescriptorLayout.structFieldOffsets), vector != 0
    else { return nil }
    let start = address &+ UInt(vector) * MetadataLayout.wordSize
    var offsets: [Int] = []
    for index in 0..<UInt(count) {
      guard let offset = memory.half(start &+ index * ValueTypeLayout.fieldOffsetSize),
        Int(offset) >= offsets.last ?? 0
      else { return nil }
      offsets.append(Int(offset))
    }
    return offsets
  }

  /// Returns the size and the alignment of the values of a field's type, or nil if they aren't
  /// certain.
  private func layout(of type: FieldType) -> (size: Int, alignment: Int)? {
    if let size = type.size { return (size, min(size, ObjectLayout.reference)) }
    return type.plainType.flatMap(metadata.plainMetadata(ofType:)).flatMap(layout(ofValues:))
  }

  /// Returns the size and the alignment in the metadata of a structure or an enumeration.
  func layout(ofValues type: UInt) -> (size: Int, alignment: Int)? {
    guard let witnesses = memory.word(type &- MetadataLayout.beforeWitnesses),
      let size = memory.word(witnesses &+ ValueWitnessLayout.size), size < 1 << 24,
      let flags = memory.half(witnesses &+ ValueWitnessLayout.flags),
      flags & ValueWitnessLayout.isIncomplete == 0
    else { return nil }
    return (Int(size), Int(flags & ValueWitnessLayout.alignmentMask) + 1)
  }

  /// A field or a case.
  struct FieldRecord {
    let name: String
    /// The address of the mangled type, or 0.
    let type: UInt
    /// A Boolean value that indicates whether the payload of a case is in a box.
    let isIndirect: Bool
  }

  /// Returns the fields or the cases of a type.
  func records(_ descriptor: UInt) -> [FieldRecord]? {
    typealias Layout = FieldDescriptorLayout
    guard let table = metadata.target(ofRelative: descriptor &+ DescriptorLayout.fields),
      let sizes = memory.half((table &+ Layout.recordSize) & ~3),
      let count = memory.half(table &+ Layout.count), count < 1 << 16, count <= recordsLeft
    else { return nil }
    recordsLeft -= Int(count)
    // The size is the second of two numbers of two bytes each.
    let size = UInt(sizes >> 16)
    guard size >= Layout.minRecordSize else { return nil }
    var records: [FieldRecord] = []
    for index in 0..<UInt(count) {
      let record = table &+ Layout.records &+ index * size
      guard let name = metadata.target(ofRelative: record &+ Layout.name),
        let text = memory.text(name)
      else { return nil }
      let flags = memory.half(record &+ Layout.flags) ?? 0
      records.append(
        FieldRecord(
          name: text, type: metadata.target(ofRelative: record &+ Layout.type) ?? 0,
          isIndirect: flags & Layout.isIndirectCase != 0))
    }
    return records
  }

  // MARK: Names

  /// Returns the name of a type with those of the types around it, and its module.
  func qualifiedName(_ descriptor: UInt) -> (name: String, module: String) {
    var names: [String] = []
    var next: UInt? = descriptor
    for _ in 0..<Self.maxDepth {
      guard let context = next, let flags = metadata.descriptorFlags(context) else { break }
      let isModule = flags.kind == DescriptorFlags.Kind.module
      if isModule || flags.isType,
        let text = metadata.target(ofRelative: context &+ DescriptorLayout.name)
          .flatMap({ memory.text($0) })
      {
        if isModule { return (names.joined(separator: "."), text) }
        names.insert(text, at: 0)
      }
      next = parent(of: context)
    }
    return (names.joined(separator: "."), "")
  }

  func parent(of descriptor: UInt) -> UInt? {
    guard let parent = metadata.target(ofRelative: descriptor &+ DescriptorLayout.parent) else {
      return nil
    }
    return parent & DescriptorLayout.isIndirect == 0
      ? parent : memory.word(parent & ~DescriptorLayout.isIndirect)
  }

  /// Returns the address of the generic arguments of a class.
  func arguments(ofClass address: UInt) -> UInt? {
    guard let descriptor = memory.word(address &+ ClassLayout.descriptor),
      let flags = metadata.descriptorFlags(descriptor)
    else { return nil }
    if flags.hasResilientSuperclass {
      return membersAfterResilientSuperclass(descriptor).map { address &+ $0 }
    }
    guard let words = memory.half(descriptor &+ DescriptorLayout.classWords),
      let own = memory.half(descriptor &+ DescriptorLayout.ownClassWords), own <= words
    else { return nil }
    return address &+ UInt(words - own) * MetadataLayout.wordSize
  }

  /// Returns the offset of a class's own members in its metadata. If the superclass is resilient,
  /// the runtime stores it.
  private func membersAfterResilientSuperclass(_ descriptor: UInt) -> UInt? {
    metadata.target(ofRelative: descriptor &+ DescriptorLayout.classBounds)
      .flatMap { memory.word($0) }
  }
}
