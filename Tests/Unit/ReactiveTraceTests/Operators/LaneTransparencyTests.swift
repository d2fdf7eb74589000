import Dispatch
import ReactiveKit
import SystemLibrary
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import TraceFormat

private struct Boom: Error {}

/// The events from all threads, in order.
private final class Transcript: Sendable {
  private static let queueName = DispatchSpecificKey<String>()

  /// Makes a queue whose name appears in the entries that are added on it.
  static func queue(_ name: String) -> DispatchQueue {
    let queue = DispatchQueue(label: name)
    queue.setSpecific(key: queueName, value: name)
    return queue
  }

  private let entries = BlockingMutex<[String]>([])

  func add(_ entry: String) {
    let queue = DispatchQueue.getSpecific(key: Transcript.queueName).map { " on \($0)" } ?? ""
    entries.withLock { $0.append(entry + queue) }
  }

  var all: [String] { entries.withLock { $0 } }
}

private typealias Numbers = Signal<Int, Boom>

/// A pipeline that writes a transcript and applies an operator at each position where a lane is
/// possible.
private struct Scenario: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let run: @Sendable (Transcript, @escaping (Numbers) -> Numbers) -> Void
}

/// Returns an observer that notes each event.
private func note(_ transcript: Transcript) -> (Numbers.Event) -> Void {
  { transcript.add("\($0)") }
}

/// Makes a source that notes when it is observed and disposed.
private func source(_ transcript: Transcript, _ numbers: Int...) -> Numbers {
  Numbers { observer in
    transcript.add("observed")
    for number in numbers { observer.receive(number) }
    return BlockDisposable { transcript.add("disposed") }
  }
}

private let scenarios = [
  Scenario(testDescription: "a synchronous source") { transcript, lane in
    _ = lane(lane(Numbers(sequence: 1...3)).map { $0 * 2 }).observe(with: note(transcript))
    transcript.add("observing returned")
  },
  Scenario(testDescription: "a source that is disposed") { transcript, lane in
    let disposable = lane(source(transcript, 1, 2)).observe(with: note(transcript))
    transcript.add("disposing, \(disposable.isDisposed)")
    disposable.dispose()
    transcript.add("disposing returned, \(disposable.isDisposed)")
  },
  Scenario(testDescription: "elements sent before, while and after observing") { transcript, lane in
    let subject = ReplaySubject<Int, Boom>()
    subject.send(1)
    let disposable = lane(subject.toSignal()).observe(with: note(transcript))
    subject.send(2)
    disposable.dispose()
    subject.send(3)
  },
  Scenario(testDescription: "the source is disposed when enough was taken") { transcript, lane in
    _ = lane(lane(source(transcript, 1, 2, 3)).prefix(maxLength: 2)).observe(with: note(transcript))
  },
  Scenario(testDescription: "an infinite source ends with what was taken") { transcript, lane in
    let numbers = Numbers(sequence: sequence(first: 1) { $0 + 1 })
    _ = lane(lane(numbers).prefix(maxLength: 3)).observe(with: note(transcript))
  },
  Scenario(testDescription: "a failure, retried") { transcript, lane in
    let failing = Numbers { observer in
      transcript.add("attempt")
      observer.receive(1)
      observer.receive(completion: .failure(Boom()))
      return BlockDisposable { transcript.add("disposed") }
    }
    _ = lane(lane(failing).retry(2)).observe(with: note(transcript))
  },
  Scenario(testDescription: "sending from inside the observer") { transcript, lane in
    let subject = PassthroughSubject<Int, Boom>()
    let disposable = lane(subject.toSignal()).observe { event in
      transcript.add("begin \(event)")
      if let number = event.element, number < 3 { subject.send(number + 1) }
      transcript.add("end \(event)")
    }
    subject.send(1)
    disposable.dispose()
  },
  Scenario(testDescription: "disposing from inside the observer") { transcript, lane in
    let bag = DisposeBag()
    let subject = PassthroughSubject<Int, Boom>()
    lane(subject.toSignal()).observe { event in
      transcript.add("\(event)")
      bag.dispose()
    }.dispose(in: bag)
    subject.send(1)
    subject.send(2)
  },
  Scenario(testDescription: "two observers take turns") { transcript, lane in
    let subject = PassthroughSubject<Int, Boom>()
    let signal = lane(subject.toSignal())
    let bag = DisposeBag()
    signal.observe { transcript.add("first \($0)") }.dispose(in: bag)
    signal.observe { transcript.add("second \($0)") }.dispose(in: bag)
    subject.send(1)
    subject.send(completion: .finished)
  },
  Scenario(testDescription: "inner signals replace each other") { transcript, lane in
    let outer = PassthroughSubject<Int, Boom>()
    let disposable =
      lane(
        lane(outer.toSignal()).flatMapLatest { number in
          lane(
            Numbers { observer in
              transcript.add("inner \(number) observed")
              observer.receive(number * 10)
              return BlockDisposable { transcript.add("inner \(number) disposed") }
            })
        }
      ).observe(with: note(transcript))
    outer.send(1)
    outer.send(2)
    disposable.dispose()
  },
  Scenario(testDescription: "from one queue to another") { transcript, lane in
    let here = Transcript.queue("here")
    let there = Transcript.queue("there")
    let done = Flag()
    let disposable = lane(
      lane(lane(Numbers(sequence: 1...3)).subscribe(on: here)).receive(on: there)
    ).observe { event in
      transcript.add("\(event)")
      if event.isTerminal { done.raise() }
    }
    done.wait()
    disposable.dispose()
  },
]

@Suite("Transparency of lane", .ownThread)
struct LaneTransparencyTests {
  @Test(
    "Events, order, queues and disposal are the same with and without lane", arguments: scenarios)
  private func transparency(scenario: Scenario) throws {
    let plain = Transcript()
    scenario.run(plain) { $0 }
    #expect(!plain.all.isEmpty)

    let off = Transcript()
    scenario.run(off) { $0.lane("off", in: nil) }
    #expect(off.all == plain.all)

    let log = try RecordedLog()
    let traced = Transcript()
    scenario.run(traced) { $0.lane("on", in: log) }
    #expect(traced.all == plain.all)
    let ends = ["completed", "failed", "disposed", "released"]
    let lines = try log.lines()
    #expect(lines.contains { $0.event == "subscribe" })
    #expect(
      lines.count { $0.event == "subscribe" } == lines.count { ends.contains($0.event) })
  }

  @Test("The formatter isn't called while tracing is off")
  func noFormatting() {
    let disposable = Signal<Int, Never>(just: 1)
      .traced(
        TraceSite("off", .lane), by: { nil },
        { _ in
          Issue.record("The formatter was called while tracing is off.")
          return ""
        }
      ).observe { _ in }
    disposable.dispose()
  }
}
