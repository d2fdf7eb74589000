import CRuntime.OwnProcess
import ProcessMemory
import SwiftRuntime
import TestSupport
import Testing

@testable import HeapGraph

@Suite("Index of the words in memory", .ownThread)
struct WordIndexTests {
  private static let chunk = WordIndex.chunkSize / MemoryLayout<trace_word_entry>.stride

  /// More than the size of the hashes and the filter for the words of these tests.
  private static let hashSize = 1 << 20

  private let map: MemoryMap
  /// The start of the memory of an allocator.
  private let start: UInt

  init() throws {
    map = try #require(MemoryMap())
    start = try #require(map.parts.first { $0.use == .heap && $0.end - $0.start >= 1 << 17 }).start
  }

  private func makeIndex(_ words: [UInt64], maxSize: Int = 64 << 20) throws -> WordIndex {
    let index = try #require(WordIndex(map, byteCount: words.count * 8, maxSize: maxSize))
    // The words are added in two parts, like the memory of a program.
    let middle = words.count / 2
    try words.withUnsafeBufferPointer { words in
      let base = try #require(words.baseAddress)
      try #require(index.add(base, count: middle, at: 0x1000))
      try #require(
        index.add(base + middle, count: words.count - middle, at: 0x1000 + UInt(middle) * 8))
    }
    return index
  }

  @Test("The index has all places of each address, in ascending order, and no others")
  func places() throws {
    var generator = FixedNumbers(seed: 7)
    let addresses = (0..<2_000).map { _ in
      start + UInt.random(in: 0..<1 << 17, using: &generator) & ~7
    }
    let words = (0..<50_000).map { _ -> UInt64 in
      let address = UInt64(addresses[Int.random(in: 0..<addresses.count, using: &generator)])
      return switch Int.random(in: 0..<4, using: &generator) {
      case 0: address
      // Bits of a reference that don't belong to the address.
      case 1: address | 0xC000_0000_0000_0001
      // The same lower bits, but outside of the program's memory.
      case 2: address ^ 1 << 44
      default: UInt64.random(in: 0...0xFFFF, using: &generator)
      }
    }
    let index = try makeIndex(words)
    #expect(index.byteCount == words.count * 8)
    var expected: [UInt: [UInt]] = [:]
    for (number, word) in words.enumerated() {
      expected[UInt(word) & ObjectLayout.addressBits, default: []].append(
        0x1000 + UInt(number) * 8)
    }
    for address in Set(addresses) {
      #expect(index.covers(address))
      #expect(index.places(of: address, most: .max) == expected[address] ?? [])
      #expect(index.places(of: address, most: 3) == Array((expected[address] ?? []).suffix(3)))
    }
    #expect(index.places(of: start + 1 << 17 + 8, most: .max) == [])
  }

  @Test("An index can grow beyond one part of its memory, but not beyond its maximum size")
  func growth() throws {
    let words = (0..<Self.chunk + 1).map { UInt64(start) + UInt64($0 % 8_000) * 16 }
    let index = try makeIndex(words, maxSize: 2 * WordIndex.chunkSize + Self.hashSize)
    #expect(index.places(of: start, most: .max).count == Self.chunk / 8_000 + 1)
    #expect(
      index.places(of: UInt(words[Self.chunk]), most: .max).last == 0x1000 + UInt(Self.chunk) * 8)

    let small = try #require(
      WordIndex(map, byteCount: words.count * 8, maxSize: WordIndex.chunkSize + Self.hashSize))
    #expect(small.add(words, count: Self.chunk, at: 0))
    #expect(!small.add([words[Self.chunk]], count: 1, at: UInt(Self.chunk) * 8))
    #expect(WordIndex(map, byteCount: 8, maxSize: WordIndex.chunkSize) == nil)
  }
}
