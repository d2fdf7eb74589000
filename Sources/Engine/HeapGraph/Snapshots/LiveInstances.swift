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
    package fileprivate(set) var count = 0
    /// The size of the instances with what the allocator adds, in bytes.
    package fileprivate(set) var bytes = 0
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
    guard heap.seesBlocks else { return nil }
    let isInTime = { LogClock.monotonic() < deadline }
    guard
      let snapshot = MemorySnapshot(heap, stackStart: stackStart, deadline: deadline),
      let table = BlockTable(snapshot, isInTime: isInTime)
    else { return nil }
    // The index of the class, or nil for metadata of something else.
    var indices: [UInt: Int?] = [:]
    let blocks = table.marking.blocks
    for block in 0..<blocks.count where blocks.states[block] != UInt8(trace_block_free.rawValue) {
      if block & 0xFFFF == 0, !isInTime() { return nil }
      add(
        blocks.starts[block]..<blocks.ends[block], part: Int(blocks.parts[block]), snapshot, heap,
        wanted, &indices)
    }
    for range in table.mappedBlocks {
      guard let part = snapshot.index(of: range.lowerBound) else { continue }
      add(range, part: part, snapshot, heap, wanted, &indices)
    }
  }

  /// Counts the instance at the start of a block, if there is one.
  private mutating func add(
    _ block: Range<UInt>, part: Int, _ snapshot: MemorySnapshot, _ heap: Heap, _ wanted: Set<UInt>,
    _ indices: inout [UInt: Int?]
  ) {
    let part = snapshot.parts[part]
    let word = Int(block.lowerBound - part.start) / 8
    guard block.upperBound - block.lowerBound >= UInt(ObjectLayout.header),
      block.lowerBound &+ UInt(ObjectLayout.header) <= part.end
    else { return }
    let metadata = part.words[word]
    guard metadata > MemoryMap.lowestAddress else { return }
    let index: Int?
    if let known = indices[metadata] {
      index = known
    } else {
      index = Self.isClass(heap.kind(ofMetadata: metadata)) ? classes.count : nil
      if index != nil { classes.append(Class(metadata: metadata)) }
      if indices.count < Self.maxKnown { indices[metadata] = .some(index) }
    }
    guard let index,
      snapshot.isLiveObject(block.lowerBound, counts: ReferenceCounts(part.words[word + 1]))
    else { return }
    classes[index].count += 1
    classes[index].bytes += block.count
    if wanted.contains(metadata) {
      hiddenAddresses[metadata, default: []].append(~block.lowerBound)
    }
  }

  /// The maximum number of first words of blocks that are remembered.
  private static let maxKnown = 1 << 16

  private static func isClass(_ kind: Heap.Kind?) -> Bool {
    switch kind {
    case .instance, .array, .dictionary, .set: true
    default: false
    }
  }
}

extension MemorySnapshot {
  /// Returns whether reference counts in the copy are those of a live object.
  fileprivate func isLiveObject(_ address: UInt, counts: ReferenceCounts) -> Bool {
    guard let table = counts.sideTable else { return counts.areOfLiveObject }
    guard word(table) == address,
      let inTable = word(table &+ SideTableLayout.referenceCounts)
    else { return false }
    return !ReferenceCounts(inTable).isDeiniting
  }
}
