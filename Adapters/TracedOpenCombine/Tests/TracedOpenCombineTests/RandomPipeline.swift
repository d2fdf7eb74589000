import OpenCombine
import TracedOpenCombine

struct PipelineError: Error, Equatable, CustomStringConvertible {
  let number: Int
  var description: String { "error \(number)" }
}

/// The SplitMix64 generator, so that a seed has the same pipeline everywhere.
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

/// Everything that happens in a run of a pipeline, in order.
final class Journal {
  private(set) var lines: [String] = []
  func note(_ line: String) { lines.append(line) }

  /// The lines, with those in a row about cancellations sorted. `flatMap` has its inner
  /// subscriptions in a dictionary, whose order differs from run to run.
  var sortedLines: [String] {
    var sorted: [String] = []
    for run in lines.chunked(by: { $0.hasSuffix(" cancel") == $1.hasSuffix(" cancel") }) {
      sorted += run.last?.hasSuffix(" cancel") == true ? run.sorted() : Array(run)
    }
    return sorted
  }
}

extension Array {
  fileprivate func chunked(by isSame: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
    var chunks: [ArraySlice<Element>] = []
    var start = startIndex
    for index in indices where index > start && !isSame(self[index - 1], self[index]) {
      chunks.append(self[start..<index])
      start = index
    }
    return start < endIndex ? chunks + [self[start...]] : chunks
  }
}

/// An object that a closure, a source or a subscriber has. The journal gets its end.
final class Witness {
  private let name: String
  private let journal: Journal

  init(_ name: String, _ journal: Journal) {
    self.name = name
    self.journal = journal
  }

  deinit { journal.note("deinit \(name)") }
}

typealias Stage = AnyPublisher<Int, PipelineError>

/// A source that sends what the script says if there is demand, and notes what it is asked.
final class ScriptedSource: Publisher {
  typealias Output = Int
  typealias Failure = PipelineError

  private final class Link: Subscription {
    let name: String
    let journal: Journal
    private var demand = Subscribers.Demand.none
    var downstream: AnySubscriber<Int, PipelineError>?

    init(_ name: String, _ journal: Journal, _ downstream: AnySubscriber<Int, PipelineError>) {
      self.name = name
      self.journal = journal
      self.downstream = downstream
    }

    deinit { journal.note("\(name) deinit") }

    func request(_ demand: Subscribers.Demand) {
      journal.note("\(name) request \(demand)")
      self.demand += demand
    }

    func offer(_ value: Int) {
      guard demand > .none, let downstream else { return journal.note("\(name) drops") }
      demand -= 1
      let more = downstream.receive(value)
      journal.note("\(name) gets \(more)")
      demand += more
    }

    func cancel() {
      journal.note("\(name) cancel")
      downstream = nil
    }
  }

  private let name: String
  private let journal: Journal
  private var links: [Link] = []

  init(_ name: String, _ journal: Journal) {
    self.name = name
    self.journal = journal
  }

  deinit { journal.note("\(name) source deinit") }

  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Int, Downstream.Failure == PipelineError {
    let link = Link("\(name)#\(links.count)", journal, AnySubscriber(subscriber))
    links.append(link)
    subscriber.receive(subscription: link)
  }

  func send(_ value: Int) {
    for link in links { link.offer(value) }
  }

  func send(completion: Subscribers.Completion<PipelineError>) {
    for link in links {
      let downstream = link.downstream
      link.downstream = nil
      downstream?.receive(completion: completion)
    }
    links = []
  }
}

/// A subscriber with random demand, which can cancel in the middle of an element.
final class ScriptedSubscriber: Subscriber, Cancellable {
  typealias Input = Int
  typealias Failure = PipelineError

  private let journal: Journal
  private let firstDemand: Subscribers.Demand
  private let answers: [Int]
  private let cancelsAt: Int
  private var count = 0
  private var subscription: (any Subscription)?

  init(_ journal: Journal, _ random: inout SeededGenerator) {
    self.journal = journal
    let first = random.below(6)
    firstDemand = first == 5 ? .unlimited : .max(first)
    answers = (0..<4).map { _ in random.below(3) }
    cancelsAt = random.below(4) == 0 ? random.below(6) : .max
  }

  deinit { journal.note("subscriber deinit") }

  func receive(subscription: any Subscription) {
    // A type without a description has its subscriber in its name.
    let description = String(describing: subscription)
    journal.note("subscription \(description.contains(".") ? "" : description)")
    self.subscription = subscription
    if firstDemand > .none { subscription.request(firstDemand) }
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    journal.note("value \(input)")
    count += 1
    if count == cancelsAt { cancel() }
    return .max(answers[count % answers.count])
  }

  func receive(completion: Subscribers.Completion<PipelineError>) {
    journal.note("completion \(completion)")
    subscription = nil
  }

  func request(_ count: Int) { subscription?.request(.max(count)) }

  func cancel() {
    journal.note("subscriber cancels")
    let last = subscription
    subscription = nil
    last?.cancel()
  }
}

/// A pipeline that a seed determines, with or without a lane after each operator.
///
/// It doesn't have `buffer`, `prefix(untilOutputFrom:)`, `replaceEmpty`, `retry`, `subscribe(on:)`
/// and `zip`. In some of the pipelines, those of OpenCombine 0.14.0 trap or wait for their own lock
/// without any lane.
struct RandomPipeline {
  let seed: UInt64
  let isTraced: Bool

  /// Runs the pipeline, with a script that the seed determines, too.
  func run() -> [String] {
    let journal = Journal()
    var random = SeededGenerator(state: seed)
    runScript(&random, journal)
    journal.note("end")
    return journal.sortedLines
  }

  private func runScript(_ random: inout SeededGenerator, _ journal: Journal) {
    var builder = Builder(random: random, journal: journal, isTraced: isTraced)
    let stage = builder.stage(depth: 0)
    random = builder.random
    let sources = builder.sources
    let subjects = builder.subjects
    builder.forget()
    var subscriber: ScriptedSubscriber?
    var cancellables: Set<AnyCancellable> = []
    if random.below(2) == 0 {
      let new = ScriptedSubscriber(journal, &random)
      subscriber = new
      stage.subscribe(new)
    } else {
      let witness = Witness("sink", journal)
      stage.sink(
        receiveCompletion: { journal.note("sink \($0)") },
        receiveValue: {
          withExtendedLifetime(witness) {}; journal.note("sink \($0)")
        }
      ).store(in: &cancellables)
    }
    for step in 0..<(4 + random.below(12)) {
      journal.note("step \(step)")
      switch random.below(14) {
      case 0: subscriber?.request(1 + random.below(3))
      case 1 where random.below(3) == 0: subscriber?.cancel()
      case 2 where random.below(3) == 0: cancellables = []
      case 3 where random.below(2) == 0: subscriber = nil
      case 4, 5:
        guard !sources.isEmpty else { continue }
        let end = random.below(2) == 0
        let source = sources[random.below(sources.count)]
        source.send(completion: end ? .finished : .failure(PipelineError(number: step)))
      case 6:
        guard !subjects.isEmpty else { continue }
        let end = random.below(2) == 0
        let subject = subjects[random.below(subjects.count)]
        subject.send(completion: end ? .finished : .failure(PipelineError(number: step)))
      case 7...9:
        guard !subjects.isEmpty else { continue }
        subjects[random.below(subjects.count)].send(random.below(10))
      default:
        guard !sources.isEmpty else { continue }
        sources[random.below(sources.count)].send(random.below(10))
      }
    }
  }

  private struct Builder {
    var random: SeededGenerator
    let journal: Journal
    let isTraced: Bool
    var sources: [ScriptedSource] = []
    var subjects: [PassthroughSubject<Int, PipelineError>] = []
    var witnesses = 0

    mutating func forget() {
      sources = []
      subjects = []
    }

    mutating func witness() -> Witness {
      witnesses += 1
      return Witness("closure \(witnesses)", journal)
    }

    func laned(_ stage: some Publisher<Int, PipelineError>) -> Stage {
      isTraced ? stage.lane("stage").eraseToAnyPublisher() : stage.eraseToAnyPublisher()
    }

    mutating func stage(depth: Int) -> Stage {
      var stage = source(depth: depth)
      for _ in 0..<random.below(depth == 0 ? 6 : 3) { stage = operated(stage, depth: depth) }
      return stage
    }

    mutating func source(depth: Int) -> Stage {
      switch random.below(8) {
      case 0: return laned(Just(random.below(10)).setFailureType(to: PipelineError.self))
      case 1:
        let count = random.below(6)
        return laned((0..<count).publisher.setFailureType(to: PipelineError.self))
      case 2: return laned(Empty(completeImmediately: random.below(2) == 0))
      case 3: return laned(Fail(error: PipelineError(number: random.below(5))))
      case 4:
        let value = random.below(10)
        return laned(
          CurrentValueSubject<Int, PipelineError>(value))
      case 5:
        let subject = PassthroughSubject<Int, PipelineError>()
        subjects.append(subject)
        return laned(subject)
      default:
        let source = ScriptedSource("source \(sources.count)", journal)
        sources.append(source)
        return laned(source)
      }
    }

    mutating func operated(_ stage: Stage, depth: Int) -> Stage {
      let journal = journal
      let number = 1 + random.below(4)
      let kind = random.below(depth > 1 ? 22 : 34)
      switch kind {
      case 0...1:
        let witness = witness()
        return laned(stage.map { value in withExtendedLifetime(witness) { value + number } })
      case 2: return laned(stage.filter { $0 % (number + 1) != 0 })
      case 3: return laned(stage.compactMap { $0 % 2 == 0 ? $0 : nil })
      case 4: return laned(stage.prefix(number))
      case 5: return laned(stage.dropFirst(number))
      case 6: return laned(stage.scan(0, +))
      case 7: return laned(stage.reduce(0, +))
      case 8: return laned(stage.collect(number).map(\.count))
      case 9: return laned(stage.removeDuplicates())
      case 10: return laned(stage.prefix { $0 < 8 })
      case 11: return laned(stage.drop { $0 < 3 })
      case 12:
        return laned(
          stage.tryMap { value throws -> Int in
            if value == 7 { throw PipelineError(number: 7) }
            return value
          }.mapError { $0 as? PipelineError ?? PipelineError(number: 0) })
      case 13: return laned(stage.replaceError(with: 9).setFailureType(to: PipelineError.self))
      case 14: return laned(stage.output(at: number))
      case 15: return laned(stage.drop { $0 == number })
      case 16: return laned(stage.share())
      case 17:
        let witness = witness()
        return laned(
          stage.handleEvents(
            receiveSubscription: { _ in journal.note("handles subscription") },
            receiveOutput: { _ in withExtendedLifetime(witness) {} },
            receiveCancel: { journal.note("handles cancel") },
            receiveRequest: { journal.note("handles \($0)") }))
      case 18: return laned(stage.first())
      case 19: return laned(stage.output(in: 1..<(1 + number)))
      case 20: return laned(stage.receive(on: ImmediateScheduler.shared))
      case 21: return laned(stage.last())
      case 22...24: return laned(flatMapped(stage, number, depth))
      case 25: return laned(switched(stage, depth))
      case 26: return laned(stage.drop(untilOutputFrom: self.stage(depth: depth + 1)))
      case 27: return laned(stage.allSatisfy { $0 < 7 }.map { $0 ? 1 : 0 })
      case 28: return laned(stage.multicast { PassthroughSubject() }.autoconnect())
      case 29: return laned(stage.append(self.stage(depth: depth + 1)))
      case 30: return laned(stage.prepend(self.stage(depth: depth + 1)))
      case 31:
        let other = self.stage(depth: depth + 1)
        return laned(stage.catch { _ in other })
      case 32: return laned(stage.contains(5).map { $0 ? 1 : 0 })
      default: return laned(stage.count())
      }
    }

    mutating func flatMapped(_ stage: Stage, _ number: Int, _ depth: Int) -> Stage {
      let inner = [self.stage(depth: depth + 1), self.stage(depth: depth + 1)]
      let witness = witness()
      let most = Subscribers.Demand.max(number)
      return stage.flatMap(maxPublishers: number == 4 ? .unlimited : most) { value in
        withExtendedLifetime(witness) { inner[abs(value) % 2] }
      }.eraseToAnyPublisher()
    }

    mutating func switched(_ stage: Stage, _ depth: Int) -> Stage {
      let inner = [self.stage(depth: depth + 1), self.stage(depth: depth + 1)]
      return stage.map { inner[abs($0) % 2] }.switchToLatest().eraseToAnyPublisher()
    }
  }
}
