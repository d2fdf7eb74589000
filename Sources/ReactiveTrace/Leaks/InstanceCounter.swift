import CRuntime.OwnProcess
import CodeLocations
import HeapGraph
import SwiftRuntime
import SystemLibrary

/// The counts of live instances of this process.
enum InstanceCounter {
  /// The maximum time for a count, in nanoseconds.
  static let limit = 2_000_000_000

  /// The name of a class.
  struct Name {
    /// The name with the module, such as `Shop.Cart`.
    let full: String
    /// The name without modules.
    let short: String
    /// Whether the class belongs to the program or to one of its packages.
    let isOfUser: Bool
  }

  /// Counts the live instances. Returns nil if the memory can't be searched safely.
  ///
  /// - Parameter wanted: The metadata of the classes whose instances are listed.
  static func count(
    listing wanted: Set<UInt> = [], limit: Int
  ) -> (graph: ReferenceGraph, instances: LiveInstances)? {
    #if os(Linux)
      guard LeakExplanations.mayBegin, LeakExplanations.hasStack, let heap = Heap(),
        let instances = LiveInstances(
          in: heap, stackStart: UInt(bitPattern: trace_frame_address()), listing: wanted,
          deadline: LogClock.monotonic() + limit)
      else { return nil }
      return (ReferenceGraph(heap), instances)
    #else
      return nil
    #endif
  }

  /// Returns the name of a class, given the address of its metadata.
  static func name(_ metadata: UInt, in graph: ReferenceGraph) -> Name {
    let type = Metadata.type(at: metadata)
    return Name(
      full: TypeName.qualified(type), short: String(describing: type),
      isOfUser: graph.isOfUser(class: metadata)
        && !OwnModules.contain(SystemModules.module(of: type)))
  }
}
