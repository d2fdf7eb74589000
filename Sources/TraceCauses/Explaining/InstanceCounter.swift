import CRuntime.OwnProcess
import CodeLocations
package import HeapGraph
import SwiftRuntime
import SystemLibrary

/// The counts of live instances of this process.
package enum InstanceCounter {
  /// The maximum time for a count, in nanoseconds.
  package static let limit = 2_000_000_000

  /// The name of a class.
  package struct Name {
    /// The name with the module, such as `Shop.Cart`.
    package let full: String
    /// The name without modules.
    package let short: String
    /// Whether the class belongs to the program or to one of its packages.
    package let isOfUser: Bool
  }

  /// Counts the live instances. Returns nil if the memory can't be searched safely.
  ///
  /// - Parameter wanted: The metadata of the classes whose instances are listed.
  package static func count(
    listing wanted: Set<UInt> = [], limit: Int
  ) -> (graph: ReferenceGraph, instances: LiveInstances)? {
    #if os(Linux)
      guard let heap = Heap(),
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
  package static func name(_ metadata: UInt, in graph: ReferenceGraph) -> Name {
    let type = Metadata.type(at: metadata)
    return Name(
      full: TypeName.qualified(type), short: String(describing: type),
      isOfUser: graph.isOfUser(class: metadata)
        && !OwnModules.contain(SystemModules.module(of: type)))
  }
}
