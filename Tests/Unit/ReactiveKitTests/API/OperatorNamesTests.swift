import Dispatch
import ReactiveKit
import TestSupport
import Testing

@Suite("Names of operators", .ownThread)
struct OperatorNamesTests {
  @Test(
    "Each transforming operator sends the expected events", arguments: OperatorNames.transforming)
  func transforming(row: APIRow) { #expect(row.run() == row.expected) }

  @Test("Each filtering operator sends the expected events", arguments: OperatorNames.filtering)
  func filtering(row: APIRow) { #expect(row.run() == row.expected) }

  @Test(
    "Each combining or flattening operator sends the expected events",
    arguments: OperatorNames.combining)
  func combining(row: APIRow) { #expect(row.run() == row.expected) }

  @Test(
    "Each operator on failures or events sends the expected events",
    arguments: OperatorNames.failing)
  func failing(row: APIRow) { #expect(row.run() == row.expected) }

  @Test(
    "Each sharing or threading operator sends the expected events", arguments: OperatorNames.sharing
  )
  func sharing(row: APIRow) { #expect(row.run() == row.expected) }
}

enum OperatorNames {
  static var transforming: [APIRow] {
    [
      APIRow("map", "246|", signal: { numbers.map { $0 * 2 } }),
      APIRow(
        "map that throws", "1!",
        signal: {
          Signal<Int, any Error>(sequence: [1, 2, 3]).map { (number: Int) throws -> Int in
            if number == 2 { throw TestError() }
            return number
          }
        }),
      APIRow("scan(_:_:)", "0136|", signal: { numbers.scan(0, +) }),
      APIRow("reduce(_:_:)", "6|", signal: { numbers.reduce(0, +) }),
      APIRow("reduce of nothing", "0|", signal: { Numbers.completed().reduce(0, +) }),
      APIRow("collect()", "[[1, 2, 3]]|", signal: { numbers.collect() }),
      APIRow("buffer(size:)", "[[1, 2]]|", signal: { numbers.buffer(size: 2) }),
      APIRow(
        "window(ofSize:)", "[[1, 2]]|",
        signal: { numbers.window(ofSize: 2).flatMapConcat { $0.collect() } }),
      APIRow("pairwise()", "[(1, 2)][(2, 3)]|", signal: { numbers.pairwise() }),
      APIRow(
        "zipPrevious()", "[01][12][23]|",
        signal: { numbers.zipPrevious().map { "\($0 ?? 0)\($1)" } }),
      APIRow("replaceElements(with:)", "xxx|", signal: { numbers.replaceElements(with: "x") }),
      APIRow("eraseType()", "[()][()][()]|", signal: { numbers.eraseType() }),
      APIRow("replaceEmpty(with:)", "7|", signal: { Numbers.completed().replaceEmpty(with: 7) }),
      APIRow("prepend(_:) element", "0123|", signal: { numbers.prepend(0) }),
      APIRow(
        "prepend(_:) signal", "89123|", signal: { numbers.prepend(Numbers(sequence: [8, 9])) }),
      APIRow(
        "prepend(_:) safe signal", "8123|", signal: { numbers.prepend(SafeNumbers(just: 8)) }),
      APIRow(
        "prepend(_:) to a safe signal", "8123|", signal: { safeNumbers.prepend(Numbers(just: 8)) }),
      APIRow("append(_:) element", "1234|", signal: { numbers.append(4) }),
      APIRow("append(_:) signal", "123123|", signal: { numbers.append(numbers) }),
      APIRow("append(_:) safe signal", "123123|", signal: { numbers.append(safeNumbers) }),
      APIRow("append(_:) to a safe signal", "1231!", signal: { safeNumbers.append(oneAndFailure) }),
      APIRow(
        "mapElement(_:)", "[[2, 4]]|",
        signal: { Signal<[Int], TestError>(just: [1, 2]).mapElement { $0 * 2 } }),
      APIRow(
        "flattenElements()", "12|",
        signal: { Signal<[Int], TestError>(just: [1, 2]).flattenElements() }),
      APIRow("flatMap(_:) to an array", "112233|", signal: { numbers.flatMap { [$0, $0] } }),
      APIRow(
        "ignoreNils()", "1|", signal: { Signal<Int?, Never>(sequence: [1, nil]).ignoreNils() }),
      APIRow(
        "replaceNils(with:)", "10|",
        signal: { Signal<Int?, Never>(sequence: [1, nil]).replaceNils(with: 0) }),
      APIRow(
        "mapWrapped(_:)", "20|",
        signal: {
          Signal<Int?, Never>(sequence: [1, nil]).mapWrapped { $0 * 2 }.replaceNils(with: 0)
        }),
    ]
  }

  static var filtering: [APIRow] {
    [
      APIRow("filter", "2|", signal: { numbers.filter { $0 == 2 } }),
      APIRow("compactMap", "2|", signal: { numbers.compactMap { $0 == 2 ? $0 : nil } }),
      APIRow(
        "removeDuplicates()", "12|", signal: { Numbers(sequence: [1, 1, 2]).removeDuplicates() }),
      APIRow("removeDuplicates(by:)", "12|", signal: { numbers.removeDuplicates { $0 + $1 == 5 } }),
      APIRow("first()", "1|", signal: { numbers.first() }),
      APIRow("last()", "3|", signal: { numbers.last() }),
      APIRow("output(at:)", "2|", signal: { numbers.output(at: 1) }),
      APIRow("prefix(maxLength:)", "12|", signal: { numbers.prefix(maxLength: 2) }),
      APIRow(
        "prefix(maxLength:) of an infinite sequence", "01|",
        signal: { Numbers(sequence: 0...).prefix(maxLength: 2) }),
      APIRow("prefix(while:)", "1|", signal: { numbers.prefix(while: { $0 < 2 }) }),
      APIRow(
        "prefix(while:inclusive:)", "12|",
        signal: { numbers.prefix(while: { $0 < 2 }, inclusive: true) }),
      APIRow(
        "prefix(untilOutputFrom:)", "123|",
        signal: { numbers.prefix(untilOutputFrom: SafeNumbers.never()) }),
      APIRow("suffix(maxLength:)", "23|", signal: { numbers.suffix(maxLength: 2) }),
      APIRow("dropFirst(_:)", "3|", signal: { numbers.dropFirst(2) }),
      APIRow("dropFirst(for:)", "|", signal: { numbers.dropFirst(for: 1000) }),
      APIRow("dropLast(_:)", "1|", signal: { numbers.dropLast(2) }),
      APIRow("ignoreOutput()", "|", signal: { numbers.ignoreOutput() }),
      APIRow("ignoreTerminal()", "123", signal: { numbers.ignoreTerminal() }),
      APIRow("debounce(for:queue:)", "3|") {
        numbers.debounce(for: 1, queue: DispatchQueue(label: "names")).waitDrawn()
      },
      APIRow("debounce(for:)", "3|") { numbers.debounce(for: 1).waitDrawn() },
      APIRow("throttle(for:queue:latest:)", "13|") {
        numbers.throttle(for: 1, queue: DispatchQueue(label: "names"), latest: true).waitDrawn()
      },
      APIRow("throttle(for:)", "13|") { numbers.throttle(for: 1).waitDrawn() },
      APIRow("sample(interval:on:)", "|") {
        numbers.sample(interval: 100, on: DispatchQueue(label: "names")).waitDrawn()
      },
      APIRow("pausable(by:)", "|", signal: { numbers.pausable(by: SafeSignal(just: false)) }),
      APIRow("pausable(by:) is open", "123|", signal: { numbers.pausable(by: SafeSignal.never()) }),
      APIRow(
        "flatMapFilter(_:)", "2|",
        signal: { numbers.flatMapFilter { SafeSignal(just: $0 == 2) } }),
      APIRow(
        "flatMapFilter(_:_:)", "2|",
        signal: { numbers.flatMapFilter(.merge) { SafeSignal(just: $0 == 2) } }),
    ]
  }

  static var sharing: [APIRow] {
    [
      APIRow("multicast(_:)", "123|") {
        let connectable = numbers.multicast { PassthroughSubject<Int, TestError>() }
        return connectable.drawnAfterConnecting()
      },
      APIRow("multicast(subject:)", "123|") {
        numbers.multicast(subject: PassthroughSubject()).drawnAfterConnecting()
      },
      APIRow("publish()", "123|") { numbers.publish().drawnAfterConnecting() },
      APIRow("replay(limit:)", "3|") {
        let connectable = numbers.replay(limit: 1)
        connectable.connect().dispose()
        return connectable.drawn
      },
      APIRow("replay()", "123|") { numbers.replay().drawnAfterConnecting() },
      APIRow("share()", "123|", signal: { numbers.share() }),
      APIRow("share(limit:keepAlive:)", "3|") {
        let shared = numbers.share(limit: 1, keepAlive: true)
        _ = shared.drawn
        return shared.drawn
      },
      APIRow("refCount()", "123|", signal: { numbers.publish().refCount() }),
      APIRow(
        "refCount(disconnectCount:)", "123|",
        signal: { numbers.publish().refCount(disconnectCount: 0) }),
      APIRow("replayValues(limit:)", "[loaded(1)]|") {
        let connectable = LoadingSignal<Int, TestError>(sequence: [.loading, .loaded(1)])
          .replayValues(limit: 1)
        connectable.connect().dispose()
        return connectable.drawn
      },
      APIRow(
        "shareReplayValues(limit:)", "[loading][loaded(1)]|",
        signal: {
          LoadingSignal<Int, TestError>(sequence: [.loading, .loaded(1)])
            .shareReplayValues(limit: 1)
        }),
      APIRow("subscribe(on:)", "123|") {
        numbers.subscribe(on: DispatchQueue.global()).waitDrawn()
      },
      APIRow("receive(on:)", "123|") { numbers.receive(on: DispatchQueue.global()).waitDrawn() },
      APIRow("receive(on:) context", "123|") {
        numbers.receive(on: ExecutionContext.immediate).waitDrawn()
      },
    ]
  }
}

extension ConnectableSignalProtocol {
  /// Connects, and returns the events, drawn.
  func drawnAfterConnecting() -> String {
    let (recorder, disposable) = record()
    let connection = connect()
    connection.dispose()
    disposable.dispose()
    return recorder.drawn
  }
}

extension SignalProtocol {
  /// Blocks until the end, and returns the events, drawn.
  func waitDrawn() -> String {
    let recorder = EventRecorder<Element, Error>()
    for event in subscribe(on: DispatchQueue(label: "names")).waitAndCollectEvents() {
      recorder.on(event)
    }
    return recorder.drawn
  }
}
