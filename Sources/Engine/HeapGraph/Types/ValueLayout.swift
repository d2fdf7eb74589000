import CRuntime.Heap
import ProcessMemory
import SwiftRuntime

/// How the values of a type are laid out, and which of their words are strong references.
struct ValueLayout {
  /// A condition for a word: `(word & mask) == value`, or the opposite.
  struct Condition: Hashable {
    var offset: Int
    var mask: UInt64
    var value: UInt64
    var isEqual: Bool
  }

  /// A word that is a strong reference if all of its conditions are met. Offsets are in bytes.
  struct Reference: Hashable {
    enum Kind {
      case word
      /// An existential container, whose value has the references.
      case container
      /// The value in the box of an error, which has the references.
      case errorValue
    }

    var offset: Int
    var kind = Kind.word
    var conditions: [Condition] = []
  }

  /// The invalid values that stand for `nil` and for other cases without a payload.
  struct ExtraInhabitants: Equatable {
    var count: Int
    /// The offset of the word that is less than 4096 in an invalid value, or nil if invalid values
    /// don't meet the conditions of any reference.
    var pointer: Int?
  }

  let size: Int
  let alignment: Int
  /// The certain references, by their offsets.
  var references: [Reference] = []
  /// A bit for each of the first 64 words that can lead to something. The others have the number of
  /// a case, a small number, a weak reference, or nothing.
  var addresses: UInt64
  /// Nil if they aren't known.
  var extraInhabitants: ExtraInhabitants? = ExtraInhabitants(count: 0)

  /// The number of invalid pointers (`LeastValidPointerValue` in `swift/shims/System.h`).
  static let invalidPointers = 4096

  private static func pointer(count: Int = invalidPointers) -> ExtraInhabitants {
    ExtraInhabitants(count: count, pointer: 0)
  }

  static let reference = ValueLayout(
    size: 8, alignment: 8, references: [Reference(offset: 0)], addresses: 1,
    extraInhabitants: pointer())
  /// A weak or unowned reference leads to a side table or to an object that it doesn't retain.
  static func uncounted(size: Int) -> ValueLayout {
    ValueLayout(size: size, alignment: 8, addresses: 0, extraInhabitants: nil)
  }

  static let unmanaged = ValueLayout(size: 8, alignment: 8, addresses: 1, extraInhabitants: nil)
  static let identifier = ValueLayout(
    size: 8, alignment: 8, addresses: 0, extraInhabitants: pointer(count: 1))
  static let pointer = ValueLayout(
    size: 8, alignment: 8, addresses: 1, extraInhabitants: pointer(count: 1))
  static let bridgedObject = ValueLayout(
    size: 8, alignment: 8, addresses: 1, extraInhabitants: pointer())
  static let empty = ValueLayout(size: 0, alignment: 1, addresses: 0)

  /// The code and the context. Without a context, the second word is 0.
  static let function = ValueLayout(
    size: 16, alignment: 8,
    references: [Reference(offset: 8, conditions: [.isValidPointer(at: 0)])], addresses: 3,
    extraInhabitants: pointer())

  /// The object of a string isn't followed, because it doesn't have references.
  static let string = ValueLayout(
    size: 16, alignment: 8, addresses: 2,
    extraInhabitants: ExtraInhabitants(count: invalidPointers, pointer: 8))

  static func number(_ size: Int) -> ValueLayout {
    ValueLayout(
      size: size, alignment: min(16, size),
      addresses: size < ObjectLayout.reference ? 0 : words(size))
  }

  /// A value of a type that isn't known, whose size is.
  static func opaque(size: Int, alignment: Int) -> ValueLayout {
    ValueLayout(
      size: size, alignment: alignment, addresses: words(size), extraInhabitants: nil)
  }

  /// A number in a byte, below a maximum. The other numbers are invalid.
  static func byte(below count: Int) -> ValueLayout {
    ValueLayout(
      size: 1, alignment: 1, addresses: 0,
      extraInhabitants: ExtraInhabitants(count: 256 - count))
  }

  /// Returns a bit for each of the first 64 words of a number of bytes.
  private static func words(_ size: Int) -> UInt64 {
    size > 63 * 8 ? .max : 1 << UInt64((size + 7) / 8) - 1
  }

  /// An existential value, by the number of its conformances.
  static func existential(isOfClass: Bool, conformances: Int) -> ValueLayout {
    guard !isOfClass else {
      return ValueLayout(
        size: 8 + 8 * conformances, alignment: 8, references: [Reference(offset: 0)],
        addresses: 1, extraInhabitants: pointer())
    }
    return ValueLayout(
      size: ExistentialLayout.type + 8 + 8 * conformances, alignment: 8,
      references: [Reference(offset: 0, kind: .container)],
      addresses: words(ExistentialLayout.inlineSize),
      extraInhabitants: ExtraInhabitants(
        count: invalidPointers, pointer: ExistentialLayout.type))
  }

  var stride: Int { max(1, CollectionLayout.start(after: size, alignment: alignment)) }

  /// Returns values one after the other. The invalid values are those of the part with the most.
  ///
  /// - Parameter offsets: The offsets of the parts, or nil if each comes as early as possible.
  static func parts(_ parts: [ValueLayout], at offsets: [Int]? = nil) -> ValueLayout {
    var (size, alignment) = (0, 1)
    var references: [Reference] = []
    var addresses: UInt64 = 0
    var extra: ExtraInhabitants? = ExtraInhabitants(count: 0)
    for (index, part) in parts.enumerated() {
      let offset =
        offsets?[index] ?? CollectionLayout.start(after: size, alignment: part.alignment)
      references += part.references.map { $0.moved(by: offset) }
      if offset / 8 < 64 {
        // A part that isn't known can begin anywhere.
        let moved = part.addresses << UInt64(offset / 8)
        addresses |= offset % 8 == 0 ? moved : moved | moved << 1
      }
      if let own = part.extraInhabitants {
        if own.count > extra?.count ?? .max {
          extra = ExtraInhabitants(count: own.count, pointer: own.pointer.map { $0 + offset })
        }
      } else {
        extra = nil
      }
      size = max(size, offset + part.size)
      alignment = max(alignment, part.alignment)
    }
    return ValueLayout(
      size: size, alignment: alignment,
      references: references.sorted { $0.offset < $1.offset }, addresses: addresses,
      extraInhabitants: extra)
  }

  /// Returns the layout of an enumeration with one payload, and with a number of other cases.
  static func singlePayload(_ payload: ValueLayout, otherCases: Int) -> ValueLayout? {
    guard otherCases > 0 else { return payload }
    guard let extra = payload.extraInhabitants else { return nil }
    var references = payload.references
    if extra.count >= otherCases {
      if let pointer = extra.pointer {
        references = references.map { reference in
          reference.offset == pointer && reference.kind == .word
            ? reference : reference.with(.isValidPointer(at: pointer))
        }
      }
      return ValueLayout(
        size: payload.size, alignment: payload.alignment, references: references,
        addresses: payload.addresses,
        extraInhabitants: ExtraInhabitants(
          count: extra.count - otherCases, pointer: extra.pointer))
    }
    // A byte after the payload says which case it is.
    guard extra.count == 0, payload.size >= 4 || otherCases <= 1 << (8 * payload.size) else {
      return nil
    }
    return ValueLayout(
      size: payload.size + 1, alignment: payload.alignment,
      references: references.map { $0.with(.byte(at: payload.size, is: 0)) },
      addresses: payload.addresses,
      extraInhabitants: ExtraInhabitants(count: 254))
  }

  /// The bits of a value that say which case of an enumeration with several payloads it is.
  enum Tag {
    /// A byte after the payload.
    case byte
    /// The bits of a mask that are set in each of its bytes, from the lowest one on.
    case bits([UInt8])
  }

  /// Returns the layout of an enumeration with several payloads.
  ///
  /// - Parameter otherCases: The number of cases without a payload.
  static func multiPayload(
    _ payloads: [ValueLayout], otherCases: Int, _ tag: Tag
  ) -> ValueLayout? {
    let size = payloads.map(\.size).max() ?? 0
    let alignment = payloads.map(\.alignment).max() ?? 1
    // All cases without a payload have one tag, if the payload can number them.
    guard size >= 4 || otherCases <= 1 else { return nil }
    let tagCount = payloads.count + (otherCases > 0 ? 1 : 0)
    let addresses = payloads.reduce(0) { $0 | $1.addresses }
    switch tag {
    case .byte:
      guard tagCount < 256 else { return nil }
      var references: [Reference] = []
      for (index, payload) in payloads.enumerated() {
        references += payload.references.map { $0.with(.byte(at: size, is: UInt64(index))) }
      }
      return ValueLayout(
        size: size + 1, alignment: alignment,
        references: references.sorted { $0.offset < $1.offset }, addresses: addresses,
        extraInhabitants: ExtraInhabitants(count: 256 - tagCount))
    case .bits(let spare):
      let needed = UInt8.bitWidth - UInt8(tagCount - 1).leadingZeroBitCount
      guard let places = highestBits(of: spare, count: needed) else { return nil }
      var references: [Reference] = []
      for (index, payload) in payloads.enumerated() {
        let conditions = conditions(places, value: index)
        references += payload.references.map { reference in
          var changed = reference
          // The words have the bits of the tag, too.
          for condition in changed.conditions.indices {
            let offset = changed.conditions[condition].offset
            for place in places where place.offset == offset {
              changed.conditions[condition].mask &= ~(1 << UInt64(place.bit))
            }
          }
          changed.conditions += conditions
          return changed
        }
      }
      return ValueLayout(
        size: size, alignment: alignment,
        references: references.sorted { $0.offset < $1.offset }, addresses: addresses,
        extraInhabitants: extraInhabitants(
          tagCount: tagCount, tagBits: needed,
          spareBits: spare.reduce(0) { $0 + $1.nonzeroBitCount },
          hasOtherCases: otherCases > 0))
    }
  }

  /// Returns at least how many invalid values there are. The first ones have all spare bits set, so
  /// their tag isn't that of a payload if there are other cases or unused tags.
  private static func extraInhabitants(
    tagCount: Int, tagBits: Int, spareBits: Int, hasOtherCases: Bool
  ) -> ExtraInhabitants? {
    let unused = 1 << tagBits - tagCount
    if unused > 0 || spareBits == tagBits { return ExtraInhabitants(count: unused) }
    return hasOtherCases ? ExtraInhabitants(count: 1) : nil
  }

  /// Returns the places of the highest bits of a mask, from the lowest one on: the offset of the
  /// word in bytes, and the number of the bit. Returns nil if there are too few.
  private static func highestBits(
    of mask: [UInt8], count: Int
  ) -> [(offset: Int, bit: Int)]? {
    var places: [(offset: Int, bit: Int)] = []
    for byte in mask.indices {
      for bit in 0..<8 where mask[byte] >> bit & 1 != 0 {
        places.append((byte & ~7, byte % 8 * 8 + bit))
      }
    }
    return places.count >= count ? Array(places.suffix(count)) : nil
  }

  private static func conditions(
    _ places: [(offset: Int, bit: Int)], value: Int
  ) -> [Condition] {
    var found: [Condition] = []
    for (index, place) in places.enumerated() {
      let bit = UInt64(value >> index & 1) << UInt64(place.bit)
      if found.last?.offset != place.offset {
        found.append(Condition(offset: place.offset, mask: 0, value: 0, isEqual: true))
      }
      found[found.count - 1].mask |= 1 << UInt64(place.bit)
      found[found.count - 1].value |= bit
    }
    return found
  }
}

extension ValueLayout.Reference {
  /// Returns the reference in a larger value.
  func moved(by offset: Int) -> Self {
    var moved = self
    moved.offset += offset
    for index in moved.conditions.indices { moved.conditions[index].offset += offset }
    return moved
  }

  /// Returns whether a value meets the conditions.
  func isStrong(inValueAt start: UInt, _ memory: ProcessMemory) -> Bool {
    conditions.allSatisfy { condition in
      memory.word(start &+ UInt(condition.offset)).map {
        (UInt64($0) & condition.mask == condition.value) == condition.isEqual
      } ?? false
    }
  }

  func with(_ condition: ValueLayout.Condition) -> Self {
    var changed = self
    changed.conditions.append(condition)
    return changed
  }
}

extension ValueLayout.Condition {
  /// The word isn't one of the invalid pointers.
  static func isValidPointer(at offset: Int) -> Self {
    let mask = ~UInt64(ValueLayout.invalidPointers - 1)
    return Self(offset: offset, mask: mask, value: 0, isEqual: false)
  }

  /// A byte has a value.
  static func byte(at offset: Int, is value: UInt64) -> Self {
    let shift = UInt64(offset % 8 * 8)
    return Self(offset: offset & ~7, mask: 0xFF << shift, value: value << shift, isEqual: true)
  }
}
