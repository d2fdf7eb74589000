import CRuntime.OwnProcess
import ProcessMemory
import SwiftRuntime
import SystemLibrary

/// The live instances of classes in this process, counted by class.
package struct LiveInstances {
  /// The instances of one class.
  package struct Class {
    /// The address of the metadata.
    package let metadata: UInt
    package let count: Int
    /// The size of the instances with what the allocator adds, in bytes.
    package let bytes: Int
  }

  package private(set) var classes: [Class] = []
  /// The addresses of the instances of the requested classes, by the metadata. All bits are
  /// inverted: a search for holders would take an address here for a reference.
  package private(set) var hiddenAddresses: [UInt: [UInt]] = [:]

  /// Counts the instances in a copy of the memory. Returns nil if the blocks of the allocator
  /// aren't known, or if there isn't enough time or memory.
  ///
  /// - Parameters:
  ///   - wanted: The metadata of the classes whose instances are listed.
  ///   - deadline: The end of the work, in nanoseconds of the monotonic clock.
  package init?(
    in heap: Heap, stackStart: UInt, listing wanted: Set<UInt> = [], deadline: Int
  ) {
    let isInTime: @Sendable () -> Bool = { LogClock.monotonic() < deadline }
    guard let snapshot = heap.snapshot(stackStart: stackStart, deadline: deadline),
      let blocks = try? HeapBlocks(
        .types, of: snapshot, heap.map, blockClass: heap.blockClass, isInTime: isInTime)
    else { return nil }
    blocks.forEachType { metadata, count, bytes in
      guard count > 0, Self.isClass(heap.kind(ofMetadata: metadata)) else { return }
      classes.append(Class(metadata: metadata, count: count, bytes: bytes))
    }
    guard !wanted.isEmpty else { return }
    for block in 0..<blocks.count where blocks.isObject(block) {
      if block & 0xFFFF == 0, !isInTime() { return nil }
      let address = blocks.range(of: block).lowerBound
      if let metadata = snapshot.word(address), wanted.contains(metadata) {
        hiddenAddresses[metadata, default: []].append(~address)
      }
    }
  }

  private static func isClass(_ kind: Heap.Kind?) -> Bool {
    switch kind {
    case .instance, .array, .dictionary, .set: true
    default: false
    }
  }
}
