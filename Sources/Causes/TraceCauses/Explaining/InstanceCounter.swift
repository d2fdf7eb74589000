import CRuntime.OwnProcess
import CodeLocations
import HeapGraph
import SwiftRuntime
import SystemLibrary
import TraceFormat

/// The counts of live instances of this process.
enum InstanceCounter {
  /// The maximum time for a count, in nanoseconds.
  private static let limit = 2_000_000_000

  /// Counts the live instances. Returns nil if the memory can't be searched safely.
  ///
  /// - Parameter wanted: The metadata of the classes whose instances are listed.
  static func count(listing wanted: Set<UInt>) -> InstanceCount? {
    #if os(Linux)
      guard let heap = Heap(),
        let instances = LiveInstances(
          in: heap, stackStart: UInt(bitPattern: trace_frame_address()), listing: wanted,
          deadline: LogClock.monotonic() + limit)
      else { return nil }
      let graph = ReferenceGraph(heap)
      return InstanceCount(
        classes: instances.classes.map {
          InstanceCount.Class(metadata: $0.metadata, count: $0.count, bytes: $0.bytes)
        }, hiddenAddresses: instances.hiddenAddresses
      ) { name($0, in: graph) }
    #else
      return nil
    #endif
  }

  private static func name(_ metadata: UInt, in graph: ReferenceGraph) -> InstanceCount.Name {
    let type = Metadata.type(at: metadata)
    return InstanceCount.Name(
      full: TypeName.qualified(type), short: String(describing: type),
      isOfUser: graph.isOfUser(class: metadata)
        && !OwnModules.contain(SystemModules.module(of: type)))
  }
}
