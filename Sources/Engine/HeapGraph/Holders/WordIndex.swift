import CRuntime.OwnProcess
import ProcessMemory
import SwiftRuntime
import SystemLibrary

/// An index of the words in the writable memory of this process that can be addresses of objects.
///
/// It has the words of one moment: it doesn't have references that a program makes later, and its
/// places may have other words by then.
///
/// One pass over the memory makes it, and then each level of a search is a few look-ups. Without
/// it, each level takes a pass, and finds the addresses that the search itself has stored in the
/// meantime: of 1,350 places with the address of a dictionary, 1,349.
final class WordIndex {
  /// The size of a part of the memory for entries, in bytes.
  static let chunkSize = Int(trace_word_chunk) * MemoryLayout<trace_word_entry>.stride
  private static let filterSize = 1 << 13

  private let maxChunks: Int

  private var table: trace_word_index
  private var memory: [(start: UnsafeMutableRawPointer, size: Int)] = []
  /// The parts of memory with the objects whose addresses are in the index.
  private let objects: [MemoryMap.Part]
  /// The number of bytes that were read.
  private(set) var byteCount = 0

  /// Prepares an index of the addresses of all objects that an allocator made. Returns nil if there
  /// is too little memory for it.
  ///
  /// - Parameters:
  ///   - byteCount: About how many bytes will be added.
  ///   - maxSize: The maximum size of the index, in bytes.
  init?(_ map: MemoryMap, byteCount: Int, maxSize: Int) {
    objects = map.parts.filter { $0.use == .heap }
    guard let first = objects.first, let last = objects.last else { return nil }
    // Most words aren't addresses, so there are more hashes than entries.
    var bits: UInt32 = 12
    while bits < 24, 1 << Int(bits) < byteCount / 32 { bits += 1 }
    let hashSize = MemoryLayout<UInt32>.stride << Int(bits)
    maxChunks = (maxSize - Self.filterSize - hashSize) / Self.chunkSize
    let size =
      Self.filterSize + hashSize
      + max(0, maxChunks) * MemoryLayout<UnsafeMutablePointer<trace_word_entry>?>.stride
    guard maxChunks > 0,
      MemoryReserve.isFree(size + Self.chunkSize + ProcessMemory.neededSpace),
      let start = ProcessMemory.map(size)
    else { return nil }
    memory = [(start, size)]
    let filter = start.assumingMemoryBound(to: UInt8.self)
    for part in objects {
      for granule in part.start >> 20...(part.end &- 1) >> 20 {
        filter[Int(granule & 0xFFFF) >> 3] |= 1 << UInt8(granule & 7)
      }
    }
    table = trace_word_index(
      mask: UInt64(ObjectLayout.addressBits), lowest: UInt64(first.start),
      highest: UInt64(last.end &- 1), filter: filter,
      last: (start + Self.filterSize).assumingMemoryBound(to: UInt32.self), hash_bits: bits,
      count: 0, capacity: 0,
      chunks: (start + Self.filterSize + hashSize).assumingMemoryBound(
        to: UnsafeMutablePointer<trace_word_entry>?.self))
  }

  deinit {
    for (start, size) in memory { ProcessMemory.unmap(start, size) }
  }

  /// Adds words. Returns false if there is too little memory for them.
  ///
  /// - Parameter address: The address of the first word.
  func add(_ words: UnsafePointer<UInt64>, count: Int, at address: UInt) -> Bool {
    var done = 0
    while true {
      done = trace_index_words(&table, words, done, count, UInt64(address))
      guard done < count else { break }
      guard addChunk() else { return false }
    }
    byteCount += count * 8
    return true
  }

  private func addChunk() -> Bool {
    let number = Int(table.capacity) / Int(trace_word_chunk)
    guard number < maxChunks,
      MemoryReserve.isFree(Self.chunkSize + ProcessMemory.neededSpace),
      let start = ProcessMemory.map(Self.chunkSize)
    else { return false }
    memory.append((start, Self.chunkSize))
    table.chunks[number] = start.assumingMemoryBound(to: trace_word_entry.self)
    table.capacity += UInt32(trace_word_chunk)
    return true
  }

  /// Reports whether the index has the words with an address.
  func covers(_ address: UInt) -> Bool {
    objects.contains { $0.start <= address && address < $0.end }
  }

  /// Returns places whose words had an address, in ascending order: the last ones if there are more
  /// than `most`. A place may have had another word with the same bits 3 to 34.
  func places(of address: UInt, most: Int) -> [UInt] {
    var places: [UInt] = []
    var place: UInt64 = 0
    var entry: UInt32 = 0
    while places.count < most {
      entry = trace_previous_place(&table, UInt64(address), entry, &place)
      guard entry != 0 else { break }
      places.append(UInt(place))
    }
    return places.reversed()
  }
}
