import CRuntime.OwnProcess
import CodeLocations
import SwiftRuntime

extension TaskCensus {
  /// The facts about the concurrency runtime of a process.
  package struct Runtime: Equatable, Sendable {
    /// The address of the metadata of Tasks.
    package let metadata: UInt
    /// The version of the private layouts.
    package let version: UInt32
    /// The size of a Task without its result, in bytes.
    package let taskSize: Int
    /// The first word of slabs, the parts of the memory of Tasks, or 0 if it isn't known.
    package let slabMark: UInt

    package init(metadata: UInt, version: UInt32, taskSize: Int, slabMark: UInt = 0) {
      self.metadata = metadata
      self.version = version
      self.taskSize = taskSize
      self.slabMark = slabMark
    }

    /// A Boolean value that indicates whether the layouts are those in `TaskLayout`.
    package var isLayoutKnown: Bool {
      TaskLayout.isKnown(version: version, size: taskSize)
    }

    /// The runtime of this process.
    package static var own: Runtime? {
      let runtime = trace_task_runtime()
      guard runtime.metadata != 0 else { return nil }
      return Runtime(
        metadata: UInt(runtime.metadata), version: runtime.layout_version,
        taskSize: Int(runtime.size), slabMark: UInt(trace_task_slab()))
    }
  }
}

#if os(Linux)
  extension TaskCensus.Runtime {
    private static let metadataSymbol = "_swift_concurrency_debug_asyncTaskMetadata"
    private static let versionSymbol = "_swift_concurrency_debug_internal_layout_version"
    private static let slabSymbol = "_swift_concurrency_debug_asyncTaskSlabMetadata"
    private static let sizeSymbol = "_swift_concurrency_debug_asyncTaskSize"

    /// Finds the concurrency runtime of another process: in its library, or in the program itself
    /// if that is linked statically. Returns nil if the process doesn't have one, or if the symbols
    /// of a static program were removed.
    package init?(
      _ files: ProcessFiles, _ memory: ProcessMemory, isInTime: @escaping () -> Bool
    ) {
      let symbols = [
        Self.metadataSymbol, Self.versionSymbol, Self.sizeSymbol, Self.slabSymbol,
      ]
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
        self.init(
          metadata: metadata, version: version, taskSize: taskSize,
          slabMark: found[Self.slabSymbol].flatMap { memory.word($0 &+ move) } ?? 0)
        return
      }
      return nil
    }
  }
#endif
