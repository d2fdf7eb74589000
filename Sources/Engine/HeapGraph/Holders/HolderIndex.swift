import CRuntime.OwnProcess
import ProcessMemory
import SwiftRuntime
import SystemLibrary

/// An index of what holds objects, found by searching all writable memory of the process for their
/// addresses.
package final class HolderIndex {
  /// The place that holds an address.
  enum Holder {
    case object(Heap.Object, Reference)
    /// A variable of the program or of a library, at an address.
    case variable(UInt)
    /// A local variable of a thread.
    case stack(UInt)
    /// A thread-specific value.
    case thread
    /// Allocated memory that isn't an object.
    case block(Range<UInt>)
    /// An object that contains the address, but not as a reference.
    case pointer(Heap.Object)
    /// Unknown memory.
    case unknown

    /// A Boolean value that indicates whether this can be the remains of a reference. Of large
    /// collections, not all elements are read.
    var isUndescribed: Bool {
      switch self {
      case .variable, .pointer: false
      case .object(let object, let reference):
        object.kind == .task
          || !reference.isCertain && ![.array, .dictionary, .set].contains(object.kind)
      case .stack, .thread, .block, .unknown: true
      }
    }

    var isTask: Bool {
      if case .object(let object, _) = self { object.kind == .task } else { false }
    }
  }

  private let graph: ReferenceGraph
  private let heap: Heap
  private var known: [UInt: [Holder]] = [:]
  /// For each of these objects, the number of references to it that the types of objects describe.
  /// References that keep nothing alive in the graph count, too.
  private var described: [UInt: Int] = [:]
  /// The maximum number of places that are examined for one object.
  private static let maxPlaces = 4096
  /// The maximum number of holders that are stored for one object.
  private static let maxHolders = 256
  private static let chunk = 1 << 18
  private let buffer: UnsafeMutableRawPointer?
  /// The number of bytes in which the last search looked.
  package private(set) var searchedBytes = 0
  /// The lowest address of this thread's stack that was in use when the search began.
  private let stackStart: UInt

  /// The maximum size of the index of words, in bytes.
  private let maxIndexSize: Int

  /// - Parameter maxIndexSize: The maximum size of the index of words, in bytes. If that is too
  ///   little, each search reads all memory.
  package init(_ graph: ReferenceGraph, stackStart: UInt, maxIndexSize: Int = 512 << 20) {
    self.maxIndexSize = maxIndexSize
    self.graph = graph
    self.stackStart = stackStart
    heap = graph.heap
    buffer = ProcessMemory.map(Self.chunk)
  }

  /// A Boolean value that indicates whether the search could allocate its memory. Without it, a
  /// search finds nothing, which doesn't mean that nothing holds the objects.
  package var isReady: Bool { buffer != nil }

  deinit {
    if let buffer { ProcessMemory.unmap(buffer, Self.chunk) }
  }

  /// Returns the holders of the object at an address. Empty unless `find` has searched for that
  /// address.
  func holders(of address: UInt) -> [Holder] { known[address] ?? [] }

  /// Returns how many strong references an object counts, apart from those that the types of other
  /// objects describe. If it is 0, the object's address in other memory is only the remains of a
  /// reference. Nil if the count is unknown, or time runs out.
  package func undescribedReferences(to object: Heap.Object, isInTime: () -> Bool) -> Int? {
    let word = heap.memory.word(object.address &+ ObjectLayout.referenceCounts)
    guard let word, let count = ReferenceCounts(word).strongCount(reading: heap.memory.word),
      find([object.address], isInTime: isInTime)
    else { return nil }
    return max(0, count - described[object.address, default: 0])
  }

  /// Returns the number of variables with the address of an object. They can also be numbers.
  package func variables(with address: UInt) -> Int {
    holders(of: address).count { if case .variable = $0 { true } else { false } }
  }

  /// Returns the number of stacks of threads with the address of an object.
  func stacks(with address: UInt) -> Int {
    let parts = holders(of: address).compactMap { holder in
      if case .stack(let place) = holder { heap.map.part(of: place)?.start } else { nil }
    }
    return Set(parts).count
  }

  /// Searches for the holders of the objects at some addresses: in the index of words, which the
  /// first search makes, or in one pass over the memory if there is too little memory for an index.
  /// Returns whether the search finished in time.
  package func find(_ addresses: Set<UInt>, isInTime: () -> Bool) -> Bool {
    let wanted = addresses.filter { known[$0] == nil }
    guard !wanted.isEmpty, let lowest = wanted.min(), let highest = wanted.max() else {
      return true
    }
    var isComplete = false
    // An address counts as known only after the search of all memory.
    defer { if !isComplete { for address in wanted { known[address] = nil } } }
    for address in wanted {
      known[address] = []
      described[address] = nil
    }
    guard let places = places(of: wanted, lowest...highest, isInTime) else { return false }
    for (target, places) in places {
      let isObject = heap.object(at: target) != nil
      var counted: Set<UInt> = []
      var references: [Holder] = []
      var others: [Holder] = []
      for place in places {
        guard isInTime() else { return false }
        guard references.count < Self.maxHolders else { break }
        guard let holder = holder(of: target, at: place) else { continue }
        switch holder {
        case .object(let object, _), .pointer(let object):
          guard isObject, object.kind != .task, counted.insert(object.address).inserted else {
            break
          }
          described[target, default: 0] += heap.references(from: object)
            .count { $0.target == target && $0.isCertain }
        case .variable, .stack, .thread, .block, .unknown: break
        }
        switch holder {
        case .object, .variable, .stack, .thread: references.append(holder)
        // An address that isn't a reference doesn't keep an object alive.
        case .pointer where isObject: break
        case .pointer, .block, .unknown:
          if others.count < Self.maxHolders { others.append(holder) }
        }
      }
      known[target] = references + others
    }
    isComplete = isInTime()
    return isComplete
  }

  /// Returns the lowest address of a stack to search. On this thread's stack, the search itself
  /// uses everything below `stackStart`.
  private func lowestInUse(_ part: MemoryMap.Part) -> UInt {
    part.contains(stackStart) ? stackStart : part.start
  }

  /// Returns the places whose words are wanted addresses, or nil if time runs out.
  private func places(
    of wanted: Set<UInt>, _ range: ClosedRange<UInt>, _ isInTime: () -> Bool
  ) -> [UInt: [UInt]]? {
    switch words(isInTime) {
    case .unfinished: return nil
    case .made(let words) where wanted.allSatisfy(words.covers):
      searchedBytes = words.byteCount
      var places: [UInt: [UInt]] = [:]
      for address in wanted {
        guard isInTime() else { return nil }
        places[address] = words.places(of: address, most: Self.maxPlaces)
      }
      return places
    case .made, .impossible: return placesInMemory(of: wanted, range, isInTime)
    }
  }

  private enum Words {
    case unfinished
    case made(WordIndex)
    /// There is too little memory for an index.
    case impossible
  }

  private var words = Words.unfinished

  /// Returns the index of all words, which the first call makes.
  private func words(_ isInTime: () -> Bool) -> Words {
    guard case .unfinished = words else { return words }
    let size = heap.map.parts.reduce(0) { $0 + ($1.use == .heap ? Int($1.end - $1.start) : 0) }
    let maxSize = min(maxIndexSize, AvailableMemory.bytes().map { $0 / 4 } ?? .max)
    guard let index = WordIndex(heap.map, byteCount: size, maxSize: maxSize) else {
      words = .impossible
      return words
    }
    // Pages that were copied before may differ from those in the index.
    heap.memory.forgetPages()
    var hasRoom = true
    let isComplete = visitMemory(isInTime) { address, words, count in
      hasRoom = index.add(words, count: count, at: address)
      return hasRoom
    }
    if !hasRoom {
      words = .impossible
    } else if isComplete {
      words = .made(index)
    }
    return words
  }

  /// Searches all memory for wanted addresses. Returns nil if time runs out.
  private func placesInMemory(
    of wanted: Set<UInt>, _ range: ClosedRange<UInt>, _ isInTime: () -> Bool
  ) -> [UInt: [UInt]]? {
    var filter = [UInt8](repeating: 0, count: 1 << 13)
    for address in wanted {
      let bit = Int(address >> 4 & 0xFFFF)
      filter[bit >> 3] |= 1 << UInt8(bit & 7)
    }
    heap.memory.forgetPages()
    var places: [UInt: [UInt]] = [:]
    searchedBytes = 0
    let isComplete = visitMemory(isInTime) { address, words, count in
      searchedBytes += count * 8
      var index = 0
      while true {
        index = trace_find_word(
          words, index, count, UInt64(ObjectLayout.addressBits), UInt64(range.lowerBound),
          UInt64(range.upperBound), filter)
        guard index < count else { return true }
        let word = UInt(words[index]) & ObjectLayout.addressBits
        if wanted.contains(word), places[word, default: []].count < Self.maxPlaces {
          places[word, default: []].append(address &+ UInt(index) * 8)
        }
        index += 1
      }
    }
    return isComplete ? places : nil
  }

  /// Calls the body with copies of all memory that can hold objects, until the body returns false.
  /// Returns whether all of it was visited in time.
  private func visitMemory(
    _ isInTime: () -> Bool, _ body: (UInt, UnsafePointer<UInt64>, Int) -> Bool
  ) -> Bool {
    guard let buffer else { return false }
    let words = UnsafePointer(buffer.assumingMemoryBound(to: UInt64.self))
    for part in heap.map.parts {
      var address = part.start
      switch part.use {
      case .heap, .variables: break
      case .stack: address = lowestInUse(part)
      case .code, .other: continue
      }
      address &= ~7
      while address < part.end {
        guard isInTime() else { return false }
        let count = min(Self.chunk, Int(part.end - address))
        let copied = heap.memory.copy(from: address, to: buffer, count: count) & ~7
        guard body(address, words, copied / 8) else { return false }
        // A page that can't be read ends a copy. The memory after it may be readable.
        let page = ProcessMemory.pageSize
        address =
          copied == count
          ? address &+ UInt(count) : (address &+ UInt(copied) &+ page) & ~(page - 1)
      }
    }
    return true
  }

  /// Returns the holder that a place with the target's address belongs to, or nil if the place
  /// doesn't hold the target.
  private func holder(of target: UInt, at place: UInt) -> Holder? {
    // The word may have changed since it was found.
    guard let part = heap.map.part(of: place),
      heap.memory.word(place).map({ $0 & ObjectLayout.addressBits }) == target
    else { return nil }
    if part.use == .stack { return heap.isThreadValue(place, in: part) ? .thread : .stack(place) }
    if part.use == .variables {
      guard let queue = heap.staticQueue(around: place),
        let reference = graph.references(from: queue).first(where: { $0.target == target })
      else { return .variable(place) }
      return .object(queue, reference)
    }
    // The side table with an object's counts starts with the object's address.
    if let counts = heap.memory.word(target &+ ObjectLayout.referenceCounts),
      ReferenceCounts(counts).sideTable == place
    {
      return nil
    }
    switch object(around: place, in: part) {
    case .found(let object):
      let references = graph.references(from: object)
      if let reference = references.first(where: { $0.target == target }) {
        return .object(object, reference)
      }
      if heap.hasMoreElements(object) {
        return .object(object, Reference(target: target, isCertain: false))
      }
      return .pointer(object)
    case .none(let block):
      if let part = heap.dispatchPart(in: block),
        let reference = graph.references(from: part).first(where: { $0.target == target })
      {
        return .object(part, reference)
      }
      return .block(block)
    case .free: return nil
    case .unknown: return .unknown
    }
  }

  private enum EnclosingObject {
    case found(Heap.Object)
    case none(Range<UInt>)
    /// The memory isn't in use.
    case free
    case unknown
  }

  /// The maximum distance to search backward for the start of an object, in bytes.
  private static let reach: UInt = 1 << 16

  private func object(around place: UInt, in part: MemoryMap.Part) -> EnclosingObject {
    if let block = heap.block(around: place) {
      return heap.object(at: block.lowerBound).map { .found($0) } ?? .none(block)
    }
    if heap.isFree(place) { return .free }
    // The allocator is unknown, or other threads changed blocks while they were listed.
    var start = place & ~ObjectLayout.alignmentMask
    let lowest = max(part.start, start > Self.reach ? start - Self.reach : 0)
    while start >= lowest, start > ObjectLayout.alignment {
      if let object = heap.object(at: start) {
        guard isInside(place, object) else { break }
        return .found(object)
      }
      if let state = heap.sourceState(at: start &+ DispatchLayout.sourceStateRemainder),
        isInside(place, state)
      {
        return .found(state)
      }
      start -= ObjectLayout.alignment
    }
    if let object = largeObject(around: place, in: part) { return .found(object) }
    if let slab = heap.slab(around: place) { return .none(slab) }
    return heap.dispatchValue(with: place).map { .found($0) } ?? .unknown
  }

  /// The maximum distance to search backward for a block with a mapping of its own, in bytes.
  private static let reachOfMapped: UInt = 64 << 20

  /// Returns the object with a mapping of its own that a place is in. Its block begins right after
  /// two words at the start of a page (`mmap_chunk` in glibc's `malloc/malloc.c`).
  private func largeObject(around place: UInt, in part: MemoryMap.Part) -> Heap.Object? {
    // Other allocators don't have such blocks, and more places that aren't known.
    guard heap.seesBlocks else { return nil }
    let page = ProcessMemory.pageSize
    var start = place & ~(page - 1)
    let lowest = max(part.start, start > Self.reachOfMapped ? start - Self.reachOfMapped : page)
    while start >= lowest {
      if let object = heap.object(at: start &+ ObjectLayout.alignment), isInside(place, object) {
        return object
      }
      start -= page
    }
    return nil
  }

  /// Reports whether a place is in an object, or in the table of a dictionary or set.
  private func isInside(_ place: UInt, _ object: Heap.Object) -> Bool {
    object.address &+ UInt(heap.size(of: object)) > place || isInTable(place, of: object)
  }

  /// Reports whether a place is in the table of a dictionary or set.
  private func isInTable(_ place: UInt, of object: Heap.Object) -> Bool {
    guard object.kind == .dictionary || object.kind == .set else { return false }
    let last =
      object.kind == .dictionary
      ? (argument: 1, table: CollectionLayout.values)
      : (argument: 0, table: CollectionLayout.keys)
    guard let scale = heap.scale(of: object),
      let type = heap.types.argument(last.argument, ofClass: object.metadata),
      let table = heap.memory.word(object.address &+ last.table)
    else { return false }
    return place < table &+ UInt(type.stride) << scale
  }
}
