#if os(Linux)
  import ProcessMemory
  import SwiftRuntime

  /// The functions that wait for checked continuations, by the addresses of their tasks. The
  /// runtime keeps the name, because it prints it if nothing resumes the continuation.
  struct WaitingFunctions {
    private var names: [UInt: String] = [:]
    /// A Boolean value that indicates whether all continuations were found.
    private(set) var isComplete = false

    init(
      _ census: TaskCensus, _ files: ProcessFiles, _ memory: ProcessMemory,
      _ isInTime: @escaping () -> Bool
    ) {
      let tasks = Set(
        census.tasks.compactMap { task -> UInt? in
          if case .continuation = task.wait { return task.address }
          return nil
        })
      guard !tasks.isEmpty,
        let metadata = files.address(
          ofVariable: ContinuationLayout.metadataSymbol, in: "/libswift_Concurrency.so",
          isInTime: isInTime)
      else { return }
      var objects: [UInt] = []
      census.forEachObject(ofClass: metadata, in: memory, while: isInTime) { objects.append($0) }
      for object in objects {
        guard let task = memory.word(object &+ ContinuationLayout.task), tasks.contains(task)
        else { continue }
        names[task] = memory.string(object &+ ContinuationLayout.function) ?? ""
      }
      isComplete = census.isComplete && isInTime()
    }

    subscript(task: UInt) -> String? { names[task] }
  }

  extension ProcessMemory {
    private static let maxString = 1024

    /// Returns the value of a `String` at an address, or nil if it can't be read or is too long.
    fileprivate func string(_ address: UInt) -> String? {
      guard let first = word(address), let object = word(address &+ StringLayout.object) else {
        return nil
      }
      guard object & StringLayout.isFast != 0 else { return nil }
      if object & StringLayout.isSmall != 0 {
        let count = Int((object & StringLayout.smallSize) >> StringLayout.smallSizeShift)
        let bytes = withUnsafeBytes(of: (first, object)) { Array($0.prefix(count)) }
        return String(validating: bytes, as: UTF8.self)
      }
      let count = Int(first & StringLayout.size)
      guard (1...Self.maxString).contains(count) else { return nil }
      let start = (object & StringLayout.address) &+ StringLayout.bias
      var bytes = [UInt8](repeating: 0, count: count)
      let isRead = bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { read(start, into: $0, count: count) } ?? false
      }
      return isRead ? String(validating: bytes, as: UTF8.self) : nil
    }
  }
#endif
