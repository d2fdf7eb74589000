import CRuntime.Heap
import ProcessMemory
import SwiftRuntime

/// Where the elements of collections and the values in existential containers are.
extension ObjectTypes {
  /// Adds where a collection has elements.
  func describeElements(
    of metadata: UInt, _ description: Description, _ type: inout heap_type
  ) {
    let kind = description.kind
    guard [.array, .set, .dictionary].contains(kind) || description.isDeque,
      let arguments = arguments(ofClass: metadata),
      let element = layout(argument: 0, arguments)
    else { return }
    type.stride = UInt32(clamping: element.stride)
    type.strong_in_element = references(ofArgument: 0, arguments)
    type.skipped_in_element = element.skipped
    switch kind {
    case .array, .instance:
      type.elements = kind == .array ? heap_array : heap_deque
      type.first_element = UInt32(
        CollectionLayout.start(
          after: kind == .array ? CollectionLayout.arrayHeader : DequeLayout.headerEnd,
          alignment: element.alignment))
      type.has_containers = element.isContainer
    case .dictionary:
      guard let value = layout(argument: 1, arguments) else { return }
      type.elements = heap_dictionary
      type.value_stride = UInt32(clamping: value.stride)
      type.strong_in_value = references(ofArgument: 1, arguments)
      type.skipped_in_value = value.skipped
    default: type.elements = heap_set
    }
    // The numbers in the header. The seed of a copy is the address of the original.
    if kind == .set || kind == .dictionary { type.skipped |= CollectionLayout.numbersOfTable }
  }

  private func references(ofArgument index: UInt, _ arguments: UInt) -> heap_strong {
    let type = memory.word(arguments &+ index * MetadataLayout.wordSize)
    return tables.table(type.flatMap(layouts.layout(ofType:))?.references ?? [])
  }

  /// The parts of a collection's memory that have elements.
  package struct Elements {
    fileprivate var ranges: [Range<Int>]
    /// Whether the elements are existential containers, each with a value of any type.
    package fileprivate(set) var areContainers = false
    package fileprivate(set) var start = 0
    package fileprivate(set) var stride = 1
    /// A bit for each of the first 64 words of an element that isn't a reference.
    fileprivate(set) var skipped: UInt64 = 0

    /// Returns whether a word at an offset from the start of the object belongs to an element, or
    /// to the header.
    package func contain(_ offset: Int) -> Bool {
      guard offset >= CollectionLayout.arrayHeader else { return true }
      if skipped != 0, offset >= start, skipped >> UInt64((offset - start) % stride / 8) & 1 != 0 {
        return false
      }
      var (low, high) = (0, ranges.count)
      while low < high {
        let middle = (low + high) / 2
        if ranges[middle].upperBound <= offset { low = middle + 1 } else { high = middle }
      }
      return low < ranges.count && ranges[low].contains(offset)
    }
  }

  private static let maxBuckets: UInt = 1 << 20

  /// Returns the parts of an array, a dictionary, a set or a deque in use. The rest can have words
  /// from an earlier use of the memory. Returns nil if they aren't known, so that all of the memory
  /// counts.
  package func elements(_ address: UInt, _ type: Description) -> Elements? {
    guard let metadata = memory.word(address), let arguments = arguments(ofClass: metadata) else {
      return nil
    }
    switch type.kind {
    case .instance where type.isDeque: return elements(ofDeque: address, arguments)
    case .array:
      guard let element = layout(argument: 0, arguments),
        let count = memory.word(address &+ CollectionLayout.count), count < 1 << 32
      else { return nil }
      let start = CollectionLayout.start(
        after: CollectionLayout.arrayHeader, alignment: element.alignment)
      return Elements(
        ranges: [start..<start + Int(count) * element.stride],
        areContainers: element.isContainer, start: start, stride: element.stride,
        skipped: element.skipped)
    case .set:
      guard let element = layout(argument: 0, arguments),
        let ranges = buckets(
          address, CollectionLayout.setBits,
          [(CollectionLayout.keys, element.stride, element.skipped)])
      else { return nil }
      return Elements(ranges: ranges)
    case .dictionary:
      guard let key = layout(argument: 0, arguments), let value = layout(argument: 1, arguments),
        let ranges = buckets(
          address, CollectionLayout.dictionaryBits,
          [
            (CollectionLayout.keys, key.stride, key.skipped),
            (CollectionLayout.values, value.stride, value.skipped),
          ])
      else { return nil }
      return Elements(ranges: ranges)
    default: return nil
    }
  }

  private func elements(ofDeque address: UInt, _ arguments: UInt) -> Elements? {
    guard let element = layout(argument: 0, arguments),
      let capacity = memory.word(address &+ DequeLayout.capacity), capacity < 1 << 32,
      let count = memory.word(address &+ DequeLayout.count), count <= capacity,
      let first = memory.word(address &+ DequeLayout.first), first <= capacity
    else { return nil }
    let start = CollectionLayout.start(after: DequeLayout.headerEnd, alignment: element.alignment)
    // The header comes first, and the elements wrap around.
    let end = min(first + count, capacity)
    let ranges = [0..<first + count - end, first..<end].map {
      start + Int($0.lowerBound) * element.stride..<start + Int($0.upperBound) * element.stride
    }
    return Elements(
      ranges: [DequeLayout.headerEnd..<DequeLayout.headerEnd] + ranges,
      areContainers: element.isContainer, start: start, stride: element.stride,
      skipped: element.skipped)
  }

  private func buckets(
    _ address: UInt, _ bitmap: UInt, _ tables: [(place: UInt, stride: Int, skipped: UInt64)]
  ) -> [Range<Int>]? {
    guard
      let scale = memory.word(address &+ CollectionLayout.scale)
        .map({ $0 & CollectionLayout.scaleMask }), scale < 32, 1 << scale <= Self.maxBuckets
    else { return nil }
    var ranges: [Range<Int>] = []
    let count = UInt(1) << scale
    for (place, stride, skipped) in tables {
      guard let start = memory.word(address &+ place), start >= address,
        start &- address < 1 << 40
      else { return nil }
      for index in 0..<max(1, count / 64) {
        guard var word = memory.word(address &+ bitmap &+ index * 8) else { return nil }
        if count < 64 { word &= 1 << count - 1 }
        while word != 0 {
          let bucket = Int(index) * 64 + word.trailingZeroBitCount
          word &= word - 1
          let offset = Int(start &- address) + bucket * stride
          guard skipped != 0 else {
            ranges.append(offset..<offset + stride)
            continue
          }
          for word in 0..<stride / 8 where skipped >> UInt64(word) & 1 == 0 {
            ranges.append(offset + word * 8..<offset + word * 8 + 8)
          }
        }
      }
    }
    return ranges.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Returns the size and the alignment of the values of a generic argument, and a bit for each
  /// word that isn't a reference.
  private func layout(
    argument index: UInt, _ arguments: UInt
  ) -> (stride: Int, alignment: Int, isContainer: Bool, skipped: UInt64)? {
    guard let type = memory.word(arguments &+ index * MetadataLayout.wordSize),
      metadata.isType(type), let kind = memory.word(type)
    else { return nil }
    if kind == Metadata.Kind.classType || kind == Metadata.Kind.foreignClass {
      return (ObjectLayout.reference, ObjectLayout.reference, false, 0)
    }
    guard let witnesses = memory.word(type &- MetadataLayout.beforeWitnesses),
      let stride = memory.word(witnesses &+ ValueWitnessLayout.stride), stride < 1 << 24,
      let flags = memory.half(witnesses &+ ValueWitnessLayout.flags)
    else { return nil }
    // A container of a protocol that only classes have is smaller.
    let isContainer =
      kind == Metadata.Kind.existential && stride > UInt(ExistentialLayout.type)
    return (
      max(1, Int(stride)), Int(flags & 0xFF) + 1, isContainer,
      wordsWithoutAddress(ofValues: type, stride: Int(stride))
    )
  }

  /// Returns the number of bytes in use at the start of an existential container: those of an
  /// inline value, or of the reference to its box. Returns nil if there isn't a container.
  package func usedBytes(ofContainerAt address: UInt) -> Int? {
    memory.word(address &+ UInt(ExistentialLayout.type)).flatMap(usedBytes(ofContained:))
  }

  /// Returns the number of bytes that a value of a type uses in an existential container, or nil if
  /// the address isn't that of a type.
  func usedBytes(ofContained type: UInt) -> Int? {
    // An empty optional.
    if type == 0 { return 0 }
    guard metadata.isType(type), let kind = memory.word(type) else { return nil }
    if kind == Metadata.Kind.classType || kind == Metadata.Kind.foreignClass {
      return ObjectLayout.reference
    }
    guard let witnesses = memory.word(type &- MetadataLayout.beforeWitnesses),
      let size = memory.word(witnesses &+ ValueWitnessLayout.size),
      let flags = memory.half(witnesses &+ ValueWitnessLayout.flags)
    else { return nil }
    let isInline = flags & ValueWitnessLayout.isNonInline == 0
    return isInline && size <= UInt(ExistentialLayout.inlineSize)
      ? Int(size) : ObjectLayout.reference
  }

  /// Returns a bit for each word of a value that can't lead to anything. It can have a part of an
  /// old address.
  private func wordsWithoutAddress(ofValues type: UInt, stride: Int) -> UInt64 {
    guard stride % 8 == 0, stride <= 64 * 8, let layout = layouts.layout(ofType: type) else {
      return 0
    }
    return ~layout.addresses & (.max >> UInt64(64 - stride / 8))
  }

  /// The types of the standard library whose values are numbers.
  private static let numbers: Set<String> = [
    "Int", "UInt", "Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Float", "Double",
    "Bool",
  ]

  /// Returns whether an object is the storage of an array of numbers, whose words aren't addresses.
  func isArrayOfNumbers(_ metadata: UInt, _ description: Description) -> Bool {
    guard description.kind == .array,
      let arguments = arguments(ofClass: metadata), let element = memory.word(arguments),
      self.metadata.isType(element),
      memory.word(element) == Metadata.Kind.structType,
      let descriptor = memory.word(element &+ ValueTypeLayout.descriptor)
    else { return false }
    let name = qualifiedName(descriptor)
    // A program can keep an address in an Int and in bytes, but not in other numbers.
    let others: Set = ["Int", "UInt", "Int8", "UInt8"]
    return name.module == "Swift" && Self.numbers.subtracting(others).contains(name.name)
  }
}
