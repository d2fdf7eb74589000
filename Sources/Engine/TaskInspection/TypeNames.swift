#if os(Linux)
  import ProcessMemory
  import SwiftRuntime

  /// The names of the classes of objects in another process.
  struct TypeNames {
    private static let maxDepth = 8

    let memory: ProcessMemory

    /// Returns the name of the class of an object without its module, such as `Cache`. Returns nil
    /// if the memory isn't an object of a Swift class.
    func name(ofObjectAt address: UInt) -> String? {
      guard let metadata = memory.word(address), metadata & MetadataLayout.alignmentMask == 0,
        let descriptor = memory.word(metadata &+ ClassLayout.descriptor)
      else { return nil }
      return name(ofDescriptorAt: descriptor)
    }

    private func name(ofDescriptorAt address: UInt) -> String? {
      guard address & DescriptorLayout.alignmentMask == 0, let flags = memory.half(address),
        DescriptorFlags(flags).isType,
        let name = relative(address &+ DescriptorLayout.name),
        let text = memory.text(name, limit: 256), !text.isEmpty
      else { return nil }
      return text
    }

    /// Returns the address to which a relative pointer leads.
    private func relative(_ address: UInt) -> UInt? {
      memory.half(address).flatMap { distance in
        distance == 0 ? nil : address &+ UInt(bitPattern: Int(Int32(bitPattern: distance)))
      }
    }
  }
#endif
