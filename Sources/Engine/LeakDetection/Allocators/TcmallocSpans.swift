import CRuntime.Heap
import HeapGraph
import ProcessMemory

/// The spans of tcmalloc in gperftools 2.10 (`src/span.h`): pages with blocks of one size, or with
/// one block.
struct TcmallocSpans {
  private static let pageShift: UInt = 13

  /// The layout of `Span`. Offsets are indices of words.
  private enum Span {
    static let length = 1
    static let free = 4
    static let bits = 5
    static let words = 6
    // The bits of the last word.
    static let usedBits: UInt = 0xFFFF
    static let classShift: UInt = 16
    static let placeShift: UInt = 24
  }

  /// The sizes of blocks by class (`class_to_size_` in `src/common.h`), four bytes each.
  private enum Classes {
    static let first: [Int32] = [0, 8, 16, 32, 48, 64, 80, 96, 112, 128]
    static let maxCount = 128
  }

  /// The free blocks of a thread for each class (`FreeList` in `src/thread_cache.h`). Sizes and
  /// offsets are in bytes.
  private enum ThreadList {
    static let size: UInt = 32
    static let count: UInt = 8
    static let blockSize: UInt = 24
  }

  /// The free blocks of all threads for each class (`src/central_freelist.h`). Offsets are from the
  /// class's number. Sizes and offsets are in bytes.
  private enum CentralList {
    static let size: UInt = 1216
    static let chains: UInt = 120
    static let chainSize: UInt = 16
    static let chainCount: UInt = 1144
    static let maxChains: UInt32 = 64
  }

  private let reader: AllocatorReader

  init(_ reader: AllocatorReader) { self.reader = reader }

  func blocks() -> AllocatorBlocks? {
    guard let sizes = sizes() else { return nil }
    var found = AllocatorBlocks()
    for span in spans() {
      guard reader.isInTime() else { return nil }
      let size = span.sizeClass < sizes.count ? UInt(sizes[span.sizeClass]) : 0
      if span.isFree {
        found.list.runs.append(BlockRun(unused: span.range))
      } else if span.sizeClass == 0 {
        let size = UInt(span.range.count)
        found.list.runs.append(
          BlockRun(span.range, start: span.range.lowerBound, size: size, count: 1))
      } else if size == 0 {
        found.noteOther()
      } else {
        let run = BlockRun(
          span.range, start: span.range.lowerBound, size: size, count: span.range.count / Int(size))
        let free = reader.list(from: span.firstFree, in: run)
        found.add(run, free: free.flatMap { $0.count + span.used == run.count ? $0 : nil })
      }
    }
    addListsOfThreads(sizes, to: &found)
    addCentralLists(sizes, to: &found)
    return found
  }

  private struct Found {
    let place: UInt
    let range: Range<UInt>
    let firstFree: UInt
    let used: Int
    let sizeClass: Int
    let isFree: Bool
  }

  /// Finds the descriptions of spans, which are outside of all spans.
  private func spans() -> [Found] {
    let parts = reader.heapParts
    guard let lowest = parts.map(\.start).min(), let highest = parts.map(\.end).max() else {
      return []
    }
    let pages = heap_range(
      start: lowest >> Self.pageShift, end: highest >> Self.pageShift)
    var found: [Found] = []
    // Copies of memory overlap.
    var places: Set<UInt> = []
    for part in parts {
      forEachCopy(of: part) { words, count, address in
        var index = heap_find_span(words, 0, count, pages)
        while index >= 0 {
          let start = words[index] << Self.pageShift
          let end = start + words[index + Span.length] << Self.pageShift
          let bits = words[index + Span.bits]
          let place = address + UInt(index) * 8
          if reader.isInHeap(start), reader.isInHeap(end - 1), places.insert(place).inserted {
            found.append(
              Found(
                place: place, range: start..<end,
                firstFree: words[index + Span.free], used: Int(bits & Span.usedBits),
                sizeClass: Int(bits >> Span.classShift & 0xFF),
                isFree: bits >> Span.placeShift & 3 != 0))
          }
          index = heap_find_span(words, index + 1, count, pages)
        }
      }
    }
    found.sort { $0.range.lowerBound < $1.range.lowerBound }
    return found.filter { span in
      // The first span that begins after the description.
      var (low, high) = (0, found.count)
      while low < high {
        let middle = (low + high) / 2
        if found[middle].range.lowerBound > span.place { high = middle } else { low = middle + 1 }
      }
      return low == 0 || !found[low - 1].range.contains(span.place)
    }
  }

  // MARK: Lists

  /// Finds the sizes of the blocks of all classes in variables.
  private func sizes() -> [Int32]? {
    for part in reader.parts([.variables]) {
      guard let address = column(Classes.first, in: part, stride: 4).first else { continue }
      var sizes = Classes.first
      while sizes.count < Classes.maxCount, let size = reader.half(address, at: sizes.count),
        size > sizes[sizes.count - 1]
      {
        sizes.append(size)
      }
      return sizes
    }
    return nil
  }

  private func addListsOfThreads(_ sizes: [Int32], to found: inout AllocatorBlocks) {
    for part in reader.heapParts {
      for place in column(sizes, in: part, stride: ThreadList.size) {
        let lists = place &- ThreadList.blockSize
        for index in sizes.indices {
          let list = lists &+ UInt(index) * ThreadList.size
          guard let first = reader.memory.word(list),
            let count = reader.memory.half(list &+ ThreadList.count)
          else { break }
          addChain(first, maxCount: Int(count), to: &found)
        }
      }
    }
  }

  private func addCentralLists(_ sizes: [Int32], to found: inout AllocatorBlocks) {
    let numbers = sizes.indices.map { Int32($0) }
    for part in reader.parts([.variables]) {
      for place in column(numbers, in: part, stride: CentralList.size) {
        for index in sizes.indices {
          let list = place &+ UInt(index) * CentralList.size
          guard let count = reader.memory.half(list &+ CentralList.chainCount),
            count <= CentralList.maxChains
          else { break }
          for chain in 0..<UInt(count) {
            let first = reader.memory.word(
              list &+ CentralList.chains &+ chain * CentralList.chainSize)
            addChain(first ?? 0, maxCount: Int(UInt16.max), to: &found)
          }
        }
      }
    }
  }

  private func addChain(_ first: UInt, maxCount: Int, to found: inout AllocatorBlocks) {
    var (next, left) = (first, maxCount)
    while left > 0, next != 0, reader.isInHeap(next), let word = reader.memory.word(next) {
      found.list.free.append(next)
      (next, left) = (word, left - 1)
    }
  }

  /// Returns the places in a part where numbers of four bytes are in a column.
  private func column(
    _ numbers: [Int32], in part: MemoryMap.Part, stride: UInt
  ) -> [UInt] {
    var found: [UInt] = []
    forEachCopy(of: part) { words, count, address in
      words.withMemoryRebound(to: Int32.self, capacity: count * 2) { halves in
        var index = heap_find_column(
          halves, 0, count * 2, Int(stride / 4), numbers, numbers.count)
        while index >= 0 {
          found.append(address + UInt(index) * 4)
          index = heap_find_column(
            halves, index + 1, count * 2, Int(stride / 4), numbers, numbers.count)
        }
      }
    }
    return found
  }

  private static let bufferSize = 4 << 20
  /// The maximum size of what is found in a copy. Copies overlap by it.
  private static let overlap = 256 << 10

  /// Calls `body` with copies of the words of a part.
  private func forEachCopy(
    of part: MemoryMap.Part,
    _ body: (_ words: UnsafePointer<UInt>, _ count: Int, _ address: UInt) -> Void
  ) {
    guard let buffer = ProcessMemory.map(Self.bufferSize) else { return }
    defer { ProcessMemory.unmap(buffer, Self.bufferSize) }
    let words = buffer.assumingMemoryBound(to: UInt.self)
    for range in reader.pieces(of: part) {
      var address = range.lowerBound
      while address < range.upperBound, reader.isInTime() {
        let wanted = min(Self.bufferSize, Int(range.upperBound - address))
        let copied = max(0, reader.memory.copy(from: address, to: buffer, count: wanted))
        body(words, copied / 8, address)
        guard copied == wanted, address + UInt(wanted) < range.upperBound else { break }
        address += UInt(wanted - Self.overlap)
      }
    }
  }
}
