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
    package init(ofProcess process: Int32, _ map: MemoryMap) {
      let folder = "/proc/\(process)"
      let program = ProcFile.target(ofLink: "\(folder)/exe")
      var seen: Set<String> = []
      var images: [Image] = []
      for part in map.parts {
        guard let path = part.path, seen.insert(path).inserted else { continue }
        if path == program {
          images.insert(Self.image(path, "\(folder)/exe", part.start), at: 0)
        } else {
          images.append(Self.image(path, "\(folder)/root\(path)", part.start))
        }
      }
      self.images = images
      self.map = map
    }

    private static func image(_ path: String, _ file: String, _ base: UInt) -> Image {
      Image(loaded: LoadedImage(path: path, file: file, base: base), base: base)
    }

    /// A Boolean value that indicates whether the process has the Swift runtime as a library.
    package var hasSwift: Bool { images.contains { $0.loaded.path.contains("/libswiftCore.so") } }

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

    /// Returns the class of C closures on the heap (`_NSConcreteMallocBlock` of the block runtime).
    package func blockClass(isInTime: @escaping () -> Bool) -> UInt? {
      address(
        ofVariable: "_NSConcreteMallocBlock", in: "/libBlocksRuntime.so", isInTime: isInTime)
    }

    /// Returns whether an address is in memory that can be executed.
    package func isCode(_ address: UInt) -> Bool { map.part(of: address)?.use == .code }
  }

  extension TaskCensus.Runtime {
    private static let metadataSymbol = "_swift_concurrency_debug_asyncTaskMetadata"
    private static let versionSymbol = "_swift_concurrency_debug_internal_layout_version"
    private static let sizeSymbol = "_swift_concurrency_debug_asyncTaskSize"

    /// Finds the concurrency runtime of another process: in its library, or in the program itself
    /// if that is linked statically. Returns nil if the process doesn't have one, or if the symbols
    /// of a static program were removed.
    package init?(
      _ files: ProcessFiles, _ memory: ProcessMemory, isInTime: @escaping () -> Bool
    ) {
      let symbols = [Self.metadataSymbol, Self.versionSymbol, Self.sizeSymbol]
      let library = files.images.first { $0.loaded.path.contains("/libswift_Concurrency.so") }
      for image in [library, files.images.first].compactMap(\.self) {
        guard let file = ElfFile(image.loaded.file, isInTime: isInTime) else { continue }
        let found = file.addresses(ofVariables: symbols, isInTime: isInTime)
        let move = image.base &- file.firstAddress
        guard let metadata = found[Self.metadataSymbol].flatMap({ memory.word($0 &+ move) }),
          let version = found[Self.versionSymbol].flatMap({ memory.half($0 &+ move) }),
          let size = found[Self.sizeSymbol].flatMap({ memory.word($0 &+ move) }),
          metadata != 0, let taskSize = Int(exactly: size)
        else { continue }
        self.init(metadata: metadata, version: version, taskSize: taskSize)
        return
      }
      return nil
    }
  }

  extension TaskCensus {
    /// Searches the memory of another process, which continues to run.
    ///
    /// - Parameter deadline: The end of the search, in nanoseconds of the monotonic clock.
    package static func ofProcess(
      _ process: Int32, deadline: Int, isInTime: @escaping () -> Bool
    ) throws(Refusal) -> TaskCensus {
      guard let map = MemoryMap(ofProcess: process), let first = map.parts.first,
        let memory = ProcessMemory(ofProcess: process, probing: first.start)
      else { throw .unreadable }
      let files = ProcessFiles(ofProcess: process, map)
      guard let runtime = Runtime(files, memory, isInTime: isInTime) else { throw .noRuntime }
      return try TaskCensus(memory, map, runtime, deadline: deadline)
    }
  }
#endif
