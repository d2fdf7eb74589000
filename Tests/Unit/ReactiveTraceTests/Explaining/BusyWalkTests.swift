import ReactiveKit
import Synchronization
import TestSupport
import Testing

@testable import HeapGraph
@testable import ReactiveTrace
@testable import SystemLibrary
@testable import TraceFormat

/// Explanations of memory that other threads change.
@Suite(
  "Explanations of a busy program", .ownThread,
  .enabled(
    if: TestLength.isLong || isSanitized, "searching the memory of all tests takes minutes"))
struct BusyWalkTests {
  private static let explanations = isSanitized ? 5 : TestLength.isLong ? 1000 : 50
  /// The time for one explanation, in nanoseconds.
  private static let limit = isSanitized ? 2_000_000_000 : 20_000_000

  @Test("Explanations finish without crashing while other threads send, observe and dispose")
  func subscriptions() throws {
    let log = try RecordedLog()
    let isOver = Atomic(false)
    let subject = PassthroughSubject<Int, Never>()
    let bag = DisposeBag()
    let screen = BusyScreen(subject.lane("leak", in: log))
    let kinds = Locked<Set<String>>([])
    onThreads(4) { number in
      switch number {
      case 0:
        for _ in 0..<Self.explanations {
          let live = log.recorder.liveSubscriptions.all.filter { !$0.hasEnded }
          let found = LeakExplanations.explain(live, limit: Self.limit)
          let names = found.values.map { "\($0.kind)" }
          kinds.withLock { $0.formUnion(names) }
        }
        isOver.store(true, ordering: .releasing)
      case 1:
        var value = 0
        while !isOver.load(ordering: .acquiring) {
          value += 1
          subject.send(value)
        }
      case 2:
        while !isOver.load(ordering: .acquiring) {
          let texts = subject.map { "\($0)" }.removeDuplicates().lane("texts", in: log)
          let once = texts.observeNext { _ in }
          texts.prefix(maxLength: 3).observeNext { _ in }.dispose(in: bag)
          once.dispose()
        }
      default:
        while !isOver.load(ordering: .acquiring) {
          let screen = BusyScreen(subject.share(limit: 1).lane("screen", in: log))
          screen.close()
        }
      }
    }
    screen.close()
    bag.dispose()
    // With a sanitizer, the time can be too short for an answer.
    #expect(isSanitized || kinds.withLock { !$0.isEmpty })
  }
}

/// An object that is retained by its own observer until it is closed.
private final class BusyScreen {
  private let bag = DisposeBag()
  private var texts: [Int] = []

  init(_ signal: Signal<Int, Never>) {
    signal.observeNext { self.texts = [$0] }.dispose(in: bag)
  }

  func close() { bag.dispose() }
}
