import CodeLocations

/// The code and the variables of libdispatch.
package enum DispatchCode {
  /// The addresses of a library.
  case library(Range<UInt>)
  /// The functions of a program that is linked with libdispatch statically.
  case program(ProgramFunctions)
  /// It isn't known where they are.
  case unknown

  /// Whose function it is that a word on a stack leads to.
  enum Owner { case dispatch, cLibrary, other }

  var isEmpty: Bool {
    switch self {
    case .library(let range): range.isEmpty
    case .program(let functions): functions.dispatch.isEmpty
    case .unknown: true
    }
  }

  /// Returns the owner of a function.
  ///
  /// - Parameter part: The part of the memory that contains the address.
  func owner(ofCodeAt address: UInt, _ part: MemoryMap.Part) -> Owner {
    switch self {
    case .library(let range) where range.contains(address): return .dispatch
    case .program(let functions):
      if functions.dispatch.contains(where: { $0.contains(address) }) { return .dispatch }
      if functions.cLibrary.contains(where: { $0.contains(address) }) { return .cLibrary }
    case .library, .unknown: break
    }
    return LoadedImage.isCLibrary(part.path) ? .cLibrary : .other
  }

  /// The maximum size of the zero-initialized variables. They come after the variables in the file.
  private static let maxZeroedSize: UInt = 1 << 16

  /// Returns whether an address is that of a variable of libdispatch. Those of a program can't be
  /// told from its other variables.
  func isVariable(_ address: UInt, _ map: MemoryMap) -> Bool {
    guard case .library(let range) = self else {
      return map.part(of: address)?.use == .variables
    }
    guard !range.contains(address) else { return true }
    guard address &- range.upperBound < Self.maxZeroedSize, let part = map.part(of: address) else {
      return false
    }
    // Another library can be right after them.
    return part.path == nil && part.use != .heap && part.start <= range.upperBound
  }
}

/// The functions of a program that are of interest on the stack of a thread that waits for work.
package struct ProgramFunctions {
  let dispatch: [Range<UInt>]
  let cLibrary: [Range<UInt>]

  #if os(Linux)
    private static let dispatchPrefixes: Set = ["_dispatch_", "dispatch_"]
    /// The functions of glibc that begin a thread or that wait.
    private static let cPrefixes: Set = [
      "start_thread", "__clone", "clone3", "__futex_", "futex_", "__new_sem_", "sem_", "__sem_",
      "epoll_",
    ]

    /// Finds the functions by the symbols of the program.
    package init?(_ program: ProcessFiles.Image, isInTime: @escaping () -> Bool) {
      guard let file = ElfFile(program.loaded.file, isInTime: isInTime) else { return nil }
      let distance = program.loaded.distance(file)
      let found = file.functions(
        startingWith: Self.dispatchPrefixes.union(Self.cPrefixes), isInTime: isInTime)
      func ranges(_ prefixes: Set<String>) -> [Range<UInt>] {
        prefixes.flatMap { found[$0] ?? [] }.compactMap { function, _ in
          // A function that the file only imports has no address.
          guard function.start != 0 else { return nil }
          let (start, end) = (function.start &+ distance, function.end &+ distance)
          return start < end ? start..<end : nil
        }
      }
      dispatch = ranges(Self.dispatchPrefixes)
      cLibrary = ranges(Self.cPrefixes)
    }
  #endif
}
