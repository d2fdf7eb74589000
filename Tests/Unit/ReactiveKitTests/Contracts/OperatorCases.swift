import ReactiveKit
import TestSupport

private typealias Source = Signal<Int, TestError>

extension OperatorCase {
  static let transforming: [OperatorCase] = [
    OperatorCase("map") { $0.map { $0 + 1 } },
    OperatorCase("scan", chainLength: 1_000) { $0.scan(0) { $1 } },
    OperatorCase("reduce") { $0.reduce(0) { $1 } },
    OperatorCase("collect") { $0.collect().map(\.count) },
    OperatorCase("buffer") { $0.buffer(size: 1).map { $0[0] } },
    OperatorCase("window", chainLength: 1_000) { $0.window(ofSize: 1).flatMapConcat { $0 } },
    OperatorCase("zipPrevious") { $0.zipPrevious().map { $1 } },
    OperatorCase("pairwise") { $0.pairwise().map { $1 } },
    OperatorCase("replaceElements") { $0.replaceElements(with: 1) },
    OperatorCase("replaceEmpty") { $0.replaceEmpty(with: 1) },
    OperatorCase("flatMap to an array") { $0.flatMap { [$0] } },
    OperatorCase("ignoreNils") { $0.map { Optional($0) }.ignoreNils() },
    OperatorCase("replaceNils") { $0.map { Optional($0) }.replaceNils(with: 0) },
    OperatorCase("mapWrapped") { $0.map { Optional($0) }.mapWrapped { $0 }.ignoreNils() },
    OperatorCase("eraseType") { $0.eraseType().map { _ in 1 } },
    OperatorCase("prepend element") { $0.prepend(0) },
    OperatorCase("append element") { $0.append(0) },
    OperatorCase("prepend signal") { $0.prepend(Source(just: 0)) },
    OperatorCase("append signal") { $0.append(Source(just: 0)) },
  ]

  static let filtering: [OperatorCase] = [
    OperatorCase("filter") { $0.filter { $0 > -1 } },
    OperatorCase("compactMap") { $0.compactMap { $0 } },
    OperatorCase("removeDuplicates") { $0.removeDuplicates() },
    OperatorCase("prefix(maxLength:)") { $0.prefix(maxLength: 100_000) },
    OperatorCase("first") { $0.first() },
    OperatorCase("prefix(while:)") { $0.prefix(while: { $0 > -1 }) },
    OperatorCase("prefix(untilOutputFrom:)") {
      $0.prefix(untilOutputFrom: SafeSignal<Int>.never())
    },
    OperatorCase("dropFirst") { $0.dropFirst(0) },
    OperatorCase("output(at:)") { $0.output(at: 0) },
    OperatorCase("last") { $0.last() },
    OperatorCase("suffix") { $0.suffix(maxLength: 4) },
    OperatorCase("dropLast") { $0.dropLast(1) },
    OperatorCase("ignoreOutput") { $0.ignoreOutput() },
    OperatorCase("ignoreTerminal") { $0.ignoreTerminal() },
    OperatorCase("pausable") { $0.pausable(by: SafeSignal(just: true)) },
    OperatorCase("flatMapFilter") { $0.flatMapFilter { _ in SafeSignal(just: true) } },
  ]

  static let combining: [OperatorCase] = [
    OperatorCase("combineLatest") {
      $0.combineLatest(with: SafeSignal(just: 1)) { number, _ in number }
    },
    OperatorCase("zip", chainLength: 1_000) {
      $0.zip(with: SafeSignal(sequence: 0..<250)) { number, _ in number }
    },
    OperatorCase("merge", chainLength: 1_000) { $0.merge(with: SafeSignal(just: 1)) },
    OperatorCase("merge of many", chainLength: 1_000) {
      Signal(flattening: [$0, Source(just: 1), Source.completed()], strategy: .merge)
    },
    OperatorCase("combiningLatest of many") {
      Signal(combiningLatest: [$0, Source(just: 1)]) { $0[0] }
    },
    OperatorCase("amb") { $0.amb(with: Source.never()) },
    OperatorCase("with(latestFrom:)") {
      $0.with(latestFrom: SafeSignal(just: 1)) { number, _ in number }
    },
    OperatorCase("replayLatest") { $0.replayLatest(when: SafeSignal(just: 1)) },
  ]

  static let flattening: [OperatorCase] = [
    OperatorCase("flatMapConcat") { $0.flatMapConcat { Source(just: $0) } },
    OperatorCase("flatMapLatest") { $0.flatMapLatest { Source(just: $0) } },
    OperatorCase("flatMapMerge") { $0.flatMapMerge { Source(just: $0) } },
    OperatorCase("concat") { $0.map { Source(just: $0) }.concat() },
    OperatorCase("switchToLatest") { source in
      Source(just: 1).map { _ in source }.switchToLatest()
    },
    OperatorCase("merge of signals") { source in Source(just: 1).map { _ in source }.merge() },
  ]

  static let failing: [OperatorCase] = [
    OperatorCase("mapError") { $0.mapError { $0 } },
    OperatorCase("castError") { $0.suppressError(logging: false).castError() },
    OperatorCase("flatMapError") { $0.flatMapError { Source.failed($0) } },
    OperatorCase("replaceError") { $0.replaceError(with: 0).castError() },
    OperatorCase("retry") { $0.retry(1) },
    OperatorCase("retry(when:)") { $0.retry(when: SafeSignal<Int>.completed()) },
    OperatorCase("tryMap") { $0.tryMap { .success($0) } },
    OperatorCase("mapToResult, getValues") { $0.mapToResult().getValues() },
    OperatorCase("mapValue of results") {
      $0.map { Result<Int, TestError>.success($0) }.mapValue { $0 }.getValues()
    },
    OperatorCase("suppressAndFeedError") {
      $0.suppressAndFeedError(into: PassthroughSubject<TestError, Never>(), logging: false)
        .castError()
    },
    OperatorCase("toErrorSignal") { $0.toErrorSignal().map { _ in 0 }.castError() },
    OperatorCase("materialize, dematerialize") { $0.materialize().dematerialize() },
    OperatorCase("branchOutError") { $0.branchOutError().0.castError() },
  ]

  static let watching: [OperatorCase] = [
    OperatorCase("handleEvents") { $0.handleEvents(receiveOutput: { _ in }) },
    OperatorCase("feedActivity") { $0.feedActivity(into: PassthroughSubject<Bool, Never>()) },
    OperatorCase("feedNext") { $0.feedNext(into: PassthroughSubject<Int, Never>()) },
    OperatorCase("feedError") { $0.feedError(into: PassthroughSubject<TestError, Never>()) },
    OperatorCase("breakpoint") { $0.breakpoint(receiveOutput: { _ in false }) },
    OperatorCase("repeat(when:)") { $0.repeat { _ in SafeSignal<Int>.completed() } },
    OperatorCase("toLoadingSignal") { $0.toLoadingSignal().dematerializeLoadingState() },
    OperatorCase("liftValue", chainLength: 1_000) {
      $0.toLoadingSignal().liftValue { $0.map { $0 } }.dematerializeLoadingState()
    },
  ]

  static let timing: [OperatorCase] = [
    OperatorCase("delay", timed: { $0.delay(interval: 1, scheduler: $1) }),
    OperatorCase("debounce", timed: { $0.debounce(for: 1, scheduler: $1) }),
    OperatorCase("throttle", timed: { $0.throttle(for: 1, scheduler: $1) }),
    OperatorCase("sample", timed: { $0.sample(interval: 1, scheduler: $1) }),
    OperatorCase("timeout", timed: { $0.timeout(after: 1_000, with: TestError(), scheduler: $1) }),
    OperatorCase("dropFirst(for:)", timed: { $0.dropFirst(for: 0, scheduler: $1) }),
    OperatorCase("receive(on:)", timed: { $0.receive(on: $1) }),
    OperatorCase("receive(on: immediate)") { $0.receive(on: ExecutionContext.immediate) },
    OperatorCase("subscribe(on: immediate)") { $0.subscribe(on: ExecutionContext.immediate) },
  ]

  static let sharing: [OperatorCase] = [
    OperatorCase("share") { $0.share() },
    OperatorCase("share(limit: 0)") { $0.share(limit: 0) },
    OperatorCase("share(limit: 1)") { $0.share(limit: 1) },
    OperatorCase("publish, refCount") { $0.publish().refCount() },
    OperatorCase("replay, refCount") { $0.replay(limit: 1).refCount() },
    OperatorCase("multicast, refCount") {
      $0.multicast(subject: PassthroughSubject()).refCount()
    },
    OperatorCase("replayValues, refCount") {
      $0.toLoadingSignal().replayValues().refCount().dematerializeLoadingState()
    },
    OperatorCase("shareReplayValues") {
      $0.toLoadingSignal().shareReplayValues().dematerializeLoadingState()
    },
    OperatorCase("a producer") { source in Source { observer in source.observe(with: observer) } },
    OperatorCase("Signal(deferring:)") { source in Source(deferring: { source }) },
  ]
}
