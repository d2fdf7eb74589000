#if os(Linux)
  import SwiftRuntime

  /// The modules of the code in a stripped file.
  ///
  /// Without symbols, the descriptors of types are the only remaining names. Each has the address
  /// of a function that returns the type's metadata, and the module of the type. A linker keeps the
  /// code of an object file together, so code between two such functions of one module belongs to
  /// that module (`TargetTypeContextDescriptor` in `swift/ABI/Metadata.h`).
  struct CodeModules {
    /// The functions of types in ascending order of their addresses in the file.
    private var functions: [(address: UInt, isOurs: Bool)] = []

    /// Reads the descriptors. The result is empty if the file isn't stripped or isn't a Swift
    /// binary.
    init(_ file: ElfFile, isInTime: () -> Bool) {
      guard file.isStripped, let types = file.addressedContents("swift5_type_metadata"),
        let constants = file.addressedContents(".rodata")
      else { return }
      types.bytes.withUnsafeBytes { table in
        constants.bytes.withUnsafeBytes { bytes in
          let reader = DescriptorReader(bytes: bytes, start: constants.address)
          for offset in stride(
            from: 0, through: table.count - TypeReferenceLayout.size, by: TypeReferenceLayout.size
          ) {
            if offset % 4096 == 0, !isInTime() { return }
            let distance = table.loadUnaligned(fromByteOffset: offset, as: Int32.self)
            guard TypeReferenceLayout.isDirect(distance),
              let found = reader.function(ofDescriptor: types.address &+ offset &+ Int(distance))
            else { continue }
            functions.append(found)
          }
        }
      }
      functions.sort { $0.address < $1.address }
    }

    /// Returns whether the code at an address in the file is in this package, or nil if that isn't
    /// known.
    func isOurs(_ address: UInt) -> Bool? {
      let next = functions.firstIndex(notBelow: address &+ 1) { $0.address }
      guard next > 0 else { return functions.first.flatMap { $0.isOurs ? nil : false } }
      let before = functions[next - 1].isOurs
      if next < functions.count, functions[next].isOurs != before { return nil }
      return next < functions.count || !before ? before : nil
    }
  }

  /// Reads descriptors in a section of constants.
  private struct DescriptorReader {
    let bytes: UnsafeRawBufferPointer
    /// The address of the section.
    let start: Int

    private func load<Value: BitwiseCopyable>(_ address: Int, as type: Value.Type) -> Value? {
      let offset = address &- start
      guard offset >= 0, offset <= bytes.count - MemoryLayout<Value>.size else { return nil }
      return bytes.loadUnaligned(fromByteOffset: offset, as: type)
    }

    private func follow(_ address: Int) -> Int? {
      load(address, as: Int32.self).flatMap { $0 == 0 ? nil : address &+ Int($0) }
    }

    private func flags(_ descriptor: Int) -> DescriptorFlags? {
      load(descriptor, as: UInt32.self).map { DescriptorFlags($0) }
    }

    /// Returns the function that returns the metadata of a type.
    func function(ofDescriptor descriptor: Int) -> (address: UInt, isOurs: Bool)? {
      guard let flags = flags(descriptor), flags.isType,
        let function = follow(descriptor &+ Int(DescriptorLayout.accessFunction)), function > 0,
        let module = module(around: descriptor)
      else { return nil }
      return (UInt(function), CodeFrame.isOurs(module: module))
    }

    private func module(around descriptor: Int) -> String? {
      var context = descriptor
      for _ in 0..<64 {
        guard let flags = flags(context) else { return nil }
        if flags.kind == DescriptorFlags.Kind.module {
          return follow(context &+ Int(DescriptorLayout.name)).flatMap(text)
        }
        // The parent of another image's type is reached through a pointer, which isn't in the file.
        guard let parent = follow(context &+ Int(DescriptorLayout.parent)),
          parent & Int(DescriptorLayout.isIndirect) == 0
        else { return nil }
        context = parent
      }
      return nil
    }

    private func text(at address: Int) -> String? {
      let offset = address &- start
      guard offset >= 0, offset < bytes.count else { return nil }
      var cursor = ByteCursor(bytes, from: offset)
      return cursor.text()
    }
  }
#endif
