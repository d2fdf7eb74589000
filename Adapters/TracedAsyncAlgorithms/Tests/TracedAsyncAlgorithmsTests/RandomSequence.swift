import AsyncAlgorithms
import ReactiveTrace
import Synchronization

struct SequenceError: Error, Equatable {
  let number: Int
}

/// The SplitMix64 generator, so that a seed has the same sequence everywhere.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}

/// An object that closures of a sequence have.
final class Witness: Sendable {
  private static let plain = Atomic(0)
  private static let traced = Atomic(0)
  /// The numbers of live objects of sequences without and with lanes.
  static var counts: [Int] { [plain.load(ordering: .relaxed), traced.load(ordering: .relaxed)] }

  private let isTraced: Bool

  init(isTraced: Bool) {
    self.isTraced = isTraced
    if isTraced {
      Self.traced.wrappingAdd(1, ordering: .relaxed)
    } else {
      Self.plain.wrappingAdd(1, ordering: .relaxed)
    }
  }

  deinit {
    if isTraced {
      Self.traced.wrappingSubtract(1, ordering: .relaxed)
    } else {
      Self.plain.wrappingSubtract(1, ordering: .relaxed)
    }
  }
}

/// A sequence without its type.
struct Erased: AsyncSequence, Sendable {
  typealias Element = Int

  struct Iterator: AsyncIteratorProtocol {
    let following: () async throws -> Int?
    func next() async throws -> Int? { try await following() }
  }

  private let make: @Sendable () -> Iterator

  init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Int {
    make = {
      nonisolated(unsafe) var iterator = base.makeAsyncIterator()
      return Iterator { try await iterator.next() }
    }
  }

  private init(make: @escaping @Sendable () -> Iterator) { self.make = make }

  /// The same elements, with an end in the place of an error.
  var withoutError: Erased {
    Erased {
      let iterator = make()
      return Iterator { try? await iterator.next() }
    }
  }

  func makeAsyncIterator() -> Iterator { make() }
}

/// A sequence that a seed determines, with or without a lane after each operator.
struct RandomSequence {
  private var random: SeededGenerator
  private let isTraced: Bool
  /// Whether it has operators that iterate over two sequences at a time, and end both with one.
  ///
  /// Such a sequence doesn't have bounded buffers. A full one never releases its closures if its
  /// iterator is deallocated, but it does if its task is canceled first, which isn't determined.
  private let isConcurrent: Bool

  init(seed: UInt64, isTraced: Bool) {
    random = SeededGenerator(state: seed)
    self.isTraced = isTraced
    isConcurrent = random.below(2) == 0
  }

  /// Iterates over the sequence. Returns its elements, and how it ended.
  mutating func run() async -> [String] {
    var sequence = stage(depth: 0)
    let isMerged = isConcurrent && random.below(2) == 0
    if isMerged { sequence = laned(merge(sequence, stage(depth: 1))) }
    let limit = random.below(3) == 0 ? 1 + random.below(4) : .max
    var values: [Int] = []
    do {
      for try await value in sequence {
        values.append(value)
        // Which elements of a merged sequence come first isn't determined.
        if values.count == limit, !isMerged { return values.map(String.init) + ["left"] }
      }
      return (isMerged ? values.sorted() : values).map(String.init) + ["end"]
    } catch {
      // Which of two errors comes first isn't determined either.
      return isMerged ? ["failed"] : values.map(String.init) + ["\(error)"]
    }
  }

  private func laned<Base: AsyncSequence & Sendable>(_ base: Base) -> Erased
  where Base.Element == Int {
    isTraced ? Erased(base.lane("stage")) : Erased(base)
  }

  private mutating func stage(depth: Int) -> Erased {
    var stage = source()
    for _ in 0..<random.below(depth == 0 ? 6 : 3) { stage = operated(stage, depth) }
    return stage
  }

  private mutating func source() -> Erased {
    let count = random.below(8)
    switch random.below(4) {
    case 0: return laned((0..<count).async)
    case 1:
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      for value in 0..<count { continuation.yield(value * 3) }
      continuation.finish()
      return laned(stream)
    case 2:
      let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
      for value in 0..<count { continuation.yield(value) }
      continuation.finish(throwing: SequenceError(number: count))
      return laned(stream)
    default:
      let channel = AsyncChannel<Int>()
      Task {
        for value in 0..<count { await channel.send(value) }
        channel.finish()
      }
      return laned(channel)
    }
  }

  private mutating func operated(_ stage: Erased, _ depth: Int) -> Erased {
    let number = 1 + random.below(3)
    let witness = Witness(isTraced: isTraced)
    switch random.below(depth > 0 ? 11 : 14) {
    case 0: return laned(stage.map { value in withExtendedLifetime(witness) { value + number } })
    case 1:
      return laned(
        stage.filter { value in withExtendedLifetime(witness) { value % (number + 1) != 0 } })
    case 2: return laned(stage.map { $0 % 2 == 0 ? $0 : nil }.compacted())
    case 3: return laned(stage.removeDuplicates())
    case 4: return laned(stage.chunks(ofCount: number).map(\.count))
    case 5: return laned(stage.adjacentPairs().map { $0 + $1 })
    case 6: return laned(stage.reductions(0, +))
    case 7: return laned(stage.interspersed(with: -number))
    case 8: return laned(stage.prefix(number + 2))
    case 9: return laned(stage.dropFirst(number))
    case 10: return laned(stage.buffer(policy: isConcurrent ? .unbounded : .bounded(number)))
    case 11 where isConcurrent: return laned(zipped(stage, number, depth).map { $0 + $1 })
    case 11, 12: return laned(chain(stage, self.stage(depth: depth + 1)))
    default:
      let other = self.stage(depth: depth + 1)
      // Of a sequence that can't fail, `joined` traps when an inner one fails, also without lanes.
      let both = AsyncThrowingStream<Erased, any Error> { continuation in
        continuation.yield(stage)
        continuation.yield(other)
        continuation.finish()
      }
      return laned(both.joined())
    }
  }
  /// Of two inputs that end or fail after the same number of elements, `zip` passes on the end or
  /// the error of either. So both of them only end, or one of them never does.
  private mutating func zipped(_ stage: Erased, _ number: Int, _ depth: Int)
    -> AsyncZip2Sequence<Erased, Erased>
  {
    random.below(2) == 0
      ? zip(stage, Erased((number...).async))
      : zip(stage.withoutError, self.stage(depth: depth + 1).withoutError)
  }
}
