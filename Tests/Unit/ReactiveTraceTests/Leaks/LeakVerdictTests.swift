import ReactiveKit
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import TraceAnalysis
@testable import TraceFormat

extension ProcessLogTests {
  @Suite("The verdict about leaks")
  struct LeakVerdictTests {
    private let never = Signal<Int, Never>.never()

    private func error(_ body: () throws -> Void) -> Trace.LeakError? {
      #expect(throws: Trace.LeakError.self) { try Trace.expectNoLeaks(grace: .zero, body) }
    }

    @Test("A subscription made for one that lasts until exit isn't a leak")
    func inheritedLifetime() throws {
      let bag = DisposeBag()
      defer { bag.dispose() }
      try Trace.expectNoLeaks(grace: .zero) {
        never.lane("a").map { $0 }.lane("b", lifetime: .process).observe { _ in }.dispose(in: bag)
      }
    }

    @Test("A subscription made for a leaking one is a consequence, and isn't counted")
    func consequences() {
      let bag = DisposeBag()
      defer { bag.dispose() }
      let error = error {
        never.lane("a").map { $0 }.lane("b").observe { _ in }.dispose(in: bag)
      }
      #expect(error?.leaks.map(\.lane) == ["b"])
      #expect(error?.consequences.map(\.lane) == ["a"])
      let text = error?.description ?? ""
      #expect(text.hasPrefix("1 subscription made here had not ended"))
      #expect(text.contains("\n1 more subscription leaks with it: #"))
    }

    @Test("A check includes a subscription that begins at the moment when the log ends")
    func endOfLog() throws {
      let recorder = try Recorder(path: nil)
      let check = LeakCheck { [recorder] }
      defer { check.close() }
      recorder.finish()
      let made = TracedSubscription(
        recorder: recorder, site: SharedSite(TraceSite("a", .lane), type: "Int"),
        scope: TraceScope(check, outer: nil))
      #expect(check.verdict.leaks.map(\.id) == [made.id])
      made.disposed()
      #expect(check.verdict.leaks.isEmpty)
    }

    @Test(
      "A leak check and the analysis of the log agree about any tree of subscriptions",
      arguments: 0..<200)
    func agreement(seed: Int) throws {
      var random = FixedNumbers(seed: UInt64(seed) &+ 99)
      let log = try TemporaryLog()
      let recorder = try Recorder(path: log.path)
      let check = LeakCheck { TracingState.recorders }
      defer { check.close() }
      var made: [TracedSubscription] = []
      for number in 0..<Int.random(in: 1...40, using: &random) {
        let parent =
          Int.random(in: 0..<4, using: &random) > 0 ? made.randomElement(using: &random) : nil
        made.append(
          TracedSubscription(
            recorder: recorder,
            site: SharedSite(TraceSite("lane \(number % 5)", .lane), type: "Int"), parent: parent,
            scope: TraceScope(check, outer: nil),
            lifetimeIsProcess: Int.random(in: 0..<8, using: &random) == 0))
      }
      for subscription in made where Int.random(in: 0..<3, using: &random) == 0 {
        [subscription.disposed, subscription.completed, subscription.released].randomElement(
          using: &random)?()
      }
      let judged = check.verdict.roots().map { leak in
        [leak.root.id] + leak.consequences.map(\.id).sorted()
      }
      recorder.finish()
      let analysis = try LogAnalysis.read(LogSource(path: log.path))
      func ids(_ indices: [Int]) -> [Int] {
        indices.map { Int(analysis.lifecycles[$0].id.number) }
      }
      let found = Undisposed.roots(in: analysis).map { root, consequences in
        ids([root]) + ids(consequences).sorted()
      }
      #expect(judged.sorted { $0[0] < $1[0] } == found.sorted { $0[0] < $1[0] })
      // A root is never upstream of another leak, and every leak is listed exactly once.
      let all = found.flatMap(\.self)
      #expect(Set(all).count == all.count)
      #expect(Set(all) == Set(check.verdict.leaks.map(\.id)))
    }
  }
}
