#if os(Linux)
  package import CodeLocations
  import SystemLibrary

  /// The files of the programs and libraries that a process has mapped. The process may be in
  /// another container, and it may have replaced its own file since it started.
  package struct ProcessFiles {
    /// A mapped program or library.
    package struct Image: Sendable {
      package let loaded: LoadedImage
      /// The address of the first byte of the file in memory.
      package let base: UInt
    }

    /// The images, the program itself first.
    package let images: [Image]
    private let map: MemoryMap

    /// Lists the images of a process.
    package init(of process: ProcessSource, _ map: MemoryMap) {
      let program = process.program
      let file = process.file
      var seen: Set<String> = []
      var images: [Image] = []
      for part in map.parts {
        guard let path = part.path, seen.insert(path).inserted else { continue }
        if path == program {
          images.insert(Self.image(path, file(part, path, true), part.start), at: 0)
        } else {
          images.append(Self.image(path, file(part, path, false), part.start))
        }
      }
      self.images = images
      self.map = map
    }

    package init(ofProcess process: Int32, _ map: MemoryMap) { self.init(of: .other(process), map) }

    private static func image(_ path: String, _ file: String, _ base: UInt) -> Image {
      Image(loaded: LoadedImage(path: path, file: file, base: base), base: base)
    }

    /// A Boolean value that indicates whether the process has the Swift runtime as a library.
    package var hasSwift: Bool { images.contains { $0.loaded.path.contains("/libswiftCore.so") } }

    /// A Boolean value that indicates whether the process has the runtime of Swift concurrency as a
    /// library.
    package var hasConcurrency: Bool {
      images.contains { $0.loaded.path.contains("/libswift_Concurrency.so") }
    }

    /// Returns whether the file of the library with the runtime of Swift concurrency can be read.
    package func canOpenRuntime(isInTime: @escaping () -> Bool) -> Bool {
      unreadable(["/libswift_Concurrency.so"], isInTime) == nil
    }

    /// Returns the path of a library of the Swift runtime or of libdispatch whose file can't be
    /// read, or is another one now.
    package func unreadableLibrary(isInTime: @escaping () -> Bool) -> String? {
      let names = ["/libswiftCore.so", "/libswift_Concurrency.so", "/libdispatch.so"]
      let image = unreadable(names, isInTime)
      return isInTime() ? image?.path : nil
    }

    /// Returns the first of some libraries whose file can't be read, also if time runs out.
    private func unreadable(_ names: [String], _ isInTime: @escaping () -> Bool) -> LoadedImage? {
      images.map(\.loaded).first { image in
        names.contains { image.path.contains($0) }
          && ElfFile(image.file, isInTime: isInTime) == nil
      }
    }

    /// Returns the image that contains an address.
    package func image(at address: UInt) -> LoadedImage? {
      guard let path = map.part(of: address)?.path else { return nil }
      return images.first { $0.loaded.path == path }?.loaded
    }

    /// Returns the address of a variable of a library, or of the program itself if that is linked
    /// statically. Returns nil if there isn't one, or if the symbols were removed.
    ///
    /// - Parameter library: A part of the path of the library.
    package func address(
      ofVariable name: String, in library: String, isInTime: @escaping () -> Bool
    ) -> UInt? {
      let image = images.first { $0.loaded.path.contains(library) } ?? images.first
      guard let image, let file = ElfFile(image.loaded.file, isInTime: isInTime) else { return nil }
      return file.addresses(ofVariables: [name], isInTime: isInTime)[name]
        .map { $0 &+ image.base &- file.firstAddress }
    }

    /// Returns whether the program or one of its own libraries imports or has a function.
    package func userImports(_ name: String, isInTime: @escaping () -> Bool) -> Bool {
      images.contains { image in
        !Self.isOfSystem(image.loaded.path)
          && ElfFile(image.loaded.file, isInTime: isInTime)?
            .mentions(function: name, isInTime: isInTime) == true
      }
    }

    /// Returns whether a library is one of the system or of the toolchain.
    private static func isOfSystem(_ path: String) -> Bool {
      let name = path.split(separator: "/").last ?? ""
      guard name.contains(".so") else { return false }
      return path.hasPrefix("/lib") || path.hasPrefix("/usr/lib")
        || ["libswift", "libFoundation", "lib_Foundation", "libdispatch"].contains {
          name.hasPrefix($0)
        }
    }

    /// Returns the parts of the memory that have a section of the program and its libraries.
    package func sections(_ name: String, isInTime: @escaping () -> Bool) -> [Range<UInt>] {
      images.compactMap { image in
        guard let file = ElfFile(image.loaded.file, isInTime: isInTime),
          let section = file.addresses(ofSection: name)
        else { return nil }
        let start = section.lowerBound &+ image.base &- file.firstAddress
        return start..<start &+ UInt(section.count)
      }
    }

    /// Returns the class of C closures on the heap (`_NSConcreteMallocBlock` of the block runtime).
    package func blockClass(isInTime: @escaping () -> Bool) -> UInt? {
      address(
        ofVariable: "_NSConcreteMallocBlock", in: "/libBlocksRuntime.so", isInTime: isInTime)
    }

    /// Returns whether an address is in memory that can be executed.
    package func isCode(_ address: UInt) -> Bool { map.part(of: address)?.use == .code }
  }

  extension ProcessSource {
    /// Returns the path at which this process can open a file that is mapped. The path is empty if
    /// that isn't the file any more.
    fileprivate var file: (MemoryMap.Part, _ path: String, _ isProgram: Bool) -> String {
      switch self {
      case .own, .other:
        let folder = folder ?? ""
        return { part, path, isProgram in
          guard !isProgram else { return "\(folder)/exe" }
          guard path.hasSuffix(Self.deleted) else { return "\(folder)/root\(path)" }
          // The kernel still has the file, which only some users may open (proc(5)).
          let range = [part.start, part.end].map { String($0, radix: 16) }
          return "\(folder)/map_files/\(range.joined(separator: "-"))"
        }
      case .core(let core):
        let files = core.openableFiles
        return { _, path, _ in files[path] ?? "" }
      }
    }

    /// What the kernel adds to the path of a file that was deleted or replaced.
    private static let deleted = " (deleted)"
  }
#endif
