import ReactiveKit
import TestSupport
import Testing

/// The choice between the overloads for signals that can fail and signals that can't. The compiler
/// makes it, so this test mainly has to build. Elements and closures aren't `Sendable`.
@Suite("Overloads of operators that join signals")
struct OverloadTests {
  private final class Plain {}

  private let safe = Signal<Int, Never>(just: 1)
  private let unsafe = Signal<Int, TestError>(just: 2)

  @Test("A join of two signals that can't fail can't fail")
  func bothSafe() {
    let combined: Signal<(Int, Int), Never> = safe.combineLatest(with: safe)
    let made: Signal<Int, Never> = safe.combineLatest(with: safe) { $0 + $1 }
    let zipped: Signal<Int, Never> = safe.zip(with: safe) { $0 + $1 }
    let pairs: Signal<(Int, Int), Never> = safe.zip(with: safe)
    let merged: Signal<Int, Never> = safe.merge(with: safe)
    let flat: Signal<Int, Never> = safe.flatMap(.merge) { _ in self.safe }
    let inferred = safe.flatMapLatest { [safe] _ in safe }.flatMapConcat { [safe] _ in safe }
    #expect(combined.elements.count + made.elements.count + zipped.elements.count == 3)
    #expect(pairs.elements.count + merged.elements.count + flat.elements.count == 4)
    #expect(inferred.drawn == "1|")
  }

  @Test("A join of two signals with the same error type has that error type")
  func sameError() {
    let combined = unsafe.combineLatest(with: unsafe) { $0 + $1 }
    let zipped = unsafe.zip(with: unsafe) { $0 + $1 }
    let merged = unsafe.merge(with: unsafe)
    let flat = unsafe.flatMapMerge { [unsafe] _ in unsafe }
    let all: [Signal<Int, TestError>] = [combined, zipped, merged, flat]
    #expect(all.map(\.drawn) == ["4|", "4|", "22|", "2|"])
  }

  @Test("A join of a signal that can fail with one that can't has the error type of the first")
  func otherSafe() {
    let combined = unsafe.combineLatest(with: safe) { $0 + $1 }
    let zipped = unsafe.zip(with: safe) { $0 + $1 }
    let merged = unsafe.merge(with: safe)
    let flat = unsafe.flatMap(.concat) { [safe] _ in safe }
    let latest = unsafe.flatMapLatest { [safe] _ in safe }
    let mergedMap = unsafe.flatMapMerge { [safe] _ in safe }
    let concat = unsafe.flatMapConcat { [safe] _ in safe }
    let all: [Signal<Int, TestError>] = [
      combined, zipped, merged, flat, latest, mergedMap, concat,
    ]
    #expect(all.map(\.drawn) == ["3|", "3|", "21|", "1|", "1|", "1|", "1|"])
    let pairs: Signal<(Int, Int), TestError> = unsafe.combineLatest(with: safe)
    let zippedPairs: Signal<(Int, Int), TestError> = unsafe.zip(with: safe)
    #expect(pairs.elements.count + zippedPairs.elements.count == 2)
  }

  @Test("A join of a signal that can't fail with one that can has the error type of the second")
  func selfSafe() {
    let combined = safe.combineLatest(with: unsafe) { $0 + $1 }
    let zipped = safe.zip(with: unsafe) { $0 + $1 }
    let merged = safe.merge(with: unsafe)
    let flat = safe.flatMap(.concat) { [unsafe] _ in unsafe }
    let latest = safe.flatMapLatest { [unsafe] _ in unsafe }
    let mergedMap = safe.flatMapMerge { [unsafe] _ in unsafe }
    let concat = safe.flatMapConcat { [unsafe] _ in unsafe }
    let all: [Signal<Int, TestError>] = [
      combined, zipped, merged, flat, latest, mergedMap, concat,
    ]
    #expect(all.map(\.drawn) == ["3|", "3|", "12|", "2|", "2|", "2|", "2|"])
    let pairs: Signal<(Int, Int), TestError> = safe.combineLatest(with: unsafe)
    let zippedPairs: Signal<(Int, Int), TestError> = safe.zip(with: unsafe)
    #expect(pairs.elements.count + zippedPairs.elements.count == 2)
  }

  @Test("Operators accept elements and closures that aren't Sendable")
  func notSendable() {
    let plain = Plain()
    var count = 0
    let subject = PassthroughSubject<Plain, Never>()
    let property = Property(plain)
    _ = subject.combineLatest(with: property) { ($0, $1) }
      .receive(on: ExecutionContext.immediate)
      .filter { $0.0 === plain }
      .observeNext { _ in count += 1 }
    subject.send(plain)
    #expect(count == 1)
  }
}
