import CRuntime.Heap
package import ProcessMemory
import SwiftRuntime

extension ObjectTypes {
  /// How strongly the words of a field reference other objects.
  package enum ReferenceStrength {
    /// A strong reference, in each word that is an address.
    case strong
    /// A value whose words may be strong references.
    case possible
    /// An address that doesn't keep anything alive, although its owner may release it: an
    /// unmanaged reference or a pointer.
    case pointer
    /// A weak or an unowned reference, or a number.
    case nothing
  }

  package struct Field {
    package let name: String
    /// The class that declares the field, without its module.
    package let owner: String
    /// The module of that class.
    package let module: String
    /// The offset from the start of the object, and the size up to the next field, in bytes.
    package let offset: Int
    package var size: Int
    package let strength: ReferenceStrength
    package let isOptional: Bool
    package let form: Form
    /// The path from a field with the user's structure to a part of it: `terms.buyer`.
    package var path: String?
    /// The words that are certainly strong references, also of other fields with the same name.
    var references: [ValueLayout.Reference] = []
    /// A bit for each word that can lead to something, from the word on in which the field begins,
    /// or nil if that isn't known. The space after a value has parts of old addresses.
    var addresses: UInt64?

    /// Returns whether a word can lead to something, given its offset from the start of the object.
    package func mayLead(at place: Int) -> Bool {
      guard strength != .nothing else { return false }
      let word = place / 8 - offset / 8
      return addresses.map { word >= 64 || $0 >> UInt64(word) & 1 != 0 } ?? true
    }

    /// A Boolean value that indicates whether the field is an existential container with a type.
    package var isContainer: Bool { form == .existential && size > ExistentialLayout.type }

    /// Returns the field with another strength of its references.
    func with(_ strength: ReferenceStrength) -> Field {
      Field(
        name: name, owner: owner, module: module, offset: offset, size: size, strength: strength,
        isOptional: isOptional, form: form, path: path, addresses: addresses)
    }

    /// Returns a part of the field.
    ///
    /// - Parameters:
    ///   - place: The offsets in the field.
    ///   - type: The type of the part, or nil if its words may be references.
    ///   - part: The name of the part of the user's structure, or nil.
    func part(_ place: Range<Int>, _ type: FieldType?, _ part: String?) -> Field {
      Field(
        name: name, owner: owner, module: module, offset: offset + place.lowerBound,
        size: place.count,
        strength: type?.strength ?? .possible, isOptional: type?.isOptional ?? false,
        form: type?.form ?? .other, path: part.map { name in path.map { "\($0).\(name)" } ?? name },
        addresses: addresses.map {
          $0 >> UInt64(min(63, (offset + place.lowerBound) / 8 - offset / 8))
        })
    }

    /// What the mangled name says about the type.
    package enum Form {
      case reference, closure, collection, existential, other
      /// A pointer without a type, or a structure of C.
      case foreign
    }
  }

  /// A class, or what describes another kind of object.
  package struct Description {
    package let kind: MetadataReader.Kind
    /// The name without the module, with the types around it: `Shop.Cart` is `Cart`.
    package let name: String
    package let module: String
    /// The fields in the order of their offsets, with those of the superclasses, or nil if a class
    /// isn't described.
    package let fields: [Field]?
    /// A bit for each of the first 64 words of a closure's context: it is a weak or an unowned
    /// reference.
    var weakCaptures: UInt64 = 0
    /// These bits, and those of unmanaged references.
    package var uncountedCaptures: UInt64 = 0
    /// The words that are certainly strong references, apart from the elements of collections and
    /// the values in existential containers.
    var references: [ValueLayout.Reference] = []
    /// A Boolean value that indicates whether some of these depend on the object.
    package var dependsOnObject = false
    /// The size of an object without what follows its fields, in bytes.
    package let size: Int
    /// The number of bytes of each object if all have the same size, or nil. Blocks are larger, and
    /// the rest has words from an earlier use.
    package let wholeSize: Int?
    /// Returns whether a word of an object is a strong reference for each value of its field.
    package func isStrong(_ offset: Int, in object: UInt, _ memory: ProcessMemory) -> Bool {
      references.contains {
        $0.offset == offset && $0.kind == .word && $0.isStrong(inValueAt: object, memory)
      }
    }

    /// A Boolean value that indicates whether the objects have the bytes of a string. The rest of
    /// such an object isn't in use (`StringStorage.swift` in the standard library).
    package var isText: Bool { module == "Swift" && name == "__StringStorage" }
    /// A Boolean value that indicates whether the objects are buffers of deques.
    var isDeque: Bool { kind == .instance && DequeLayout.isBuffer(name, module: module) }
    /// The name with the module: `Shop.Cart`.
    package var fullName: String { module.isEmpty ? name : "\(module).\(name)" }

    /// A bit for each of the first 64 words that consists of fields without an address, and of
    /// space after them.
    var wordsWithoutAddress: UInt64 {
      var (leading, others): (UInt64, UInt64) = (0, 0)
      for field in fields ?? [] {
        // Elements can come after the last field, in the same word.
        let end = field.offset + field.size + (wholeSize == nil ? 0 : 7)
        for word in min(64, field.offset / 8)..<max(min(64, field.offset / 8), min(64, end / 8)) {
          if field.mayLead(at: word * 8) { leading |= 1 << word } else { others |= 1 << word }
        }
      }
      return others & ~leading
    }
  }
}
