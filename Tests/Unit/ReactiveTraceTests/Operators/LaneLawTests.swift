import Dispatch
import ReactiveKit
import TestSupport
import Testing

private struct Boom: Error {}

private typealias Numbers = Signal<Int, Boom>

/// One step of a random pipeline.
private enum Step: CaseIterable {
  case map, filter, scan, removeDuplicates, prefix, dropFirst, merge, combineLatest, flatMapLatest
  case flatMapConcat, retry, flatMapError, share, buffer, withLatest, delay, debounce, receive,
    append

  func apply(_ numbers: Numbers, _ world: World) -> Numbers {
    switch self {
    case .map: numbers.map { $0 &+ 1 }
    case .filter: numbers.filter { $0 % 3 != 0 }
    case .scan: numbers.scan(0) { $0 &+ $1 }
    case .removeDuplicates: numbers.removeDuplicates()
    case .prefix: numbers.prefix(maxLength: 4)
    case .dropFirst: numbers.dropFirst(1)
    case .merge: numbers.merge(with: world.lane(world.source(50, 51)))
    case .combineLatest: numbers.combineLatest(with: world.lane(world.source(7, 8))) { $0 &+ $1 }
    case .flatMapLatest:
      numbers.flatMapLatest { number in world.lane(world.source(number, number &* 2)) }
    case .flatMapConcat: numbers.flatMapConcat { number in world.lane(world.source(number)) }
    case .retry: numbers.retry(1)
    case .flatMapError: numbers.flatMapError { _ in world.lane(world.source(99)) }
    case .share: numbers.share()
    case .buffer: numbers.buffer(size: 2).map { $0.reduce(0, &+) }
    case .withLatest: numbers.with(latestFrom: world.lane(world.source(3))) { $0 &+ $1 }
    case .delay: numbers.delay(interval: 1, scheduler: world.time)
    case .debounce: numbers.debounce(for: 1, scheduler: world.time)
    case .receive: numbers.receive(on: world.time)
    case .append: numbers.append(world.lane(world.source(1000)))
    }
  }
}

/// One run of a pipeline: its virtual time, its sources and its results.
private final class World {
  let time = VirtualScheduler()
  let lane: (Numbers) -> Numbers
  var notes: [String] = []
  private var sources = 0

  init(_ lane: @escaping (Numbers) -> Numbers) { self.lane = lane }

  /// A source that notes when it is observed and disposed.
  func source(_ numbers: Int...) -> Numbers {
    sources += 1
    let name = sources
    return Numbers { [unowned self] observer in
      notes.append("observe \(name)")
      for number in numbers { observer.receive(number) }
      if name % 5 == 0 { observer.receive(completion: .failure(Boom())) }
      if name % 2 == 0 { observer.receive(completion: .finished) }
      return BlockDisposable { [unowned self] in notes.append("dispose \(name)") }
    }
  }
}

/// Runs the pipeline of a seed with `lane` at each position where a lane is possible, and returns
/// what happened.
private func run(_ seed: UInt64, _ lane: @escaping (Numbers) -> Numbers) -> [String] {
  var random = FixedNumbers(seed: seed)
  let world = World(lane)
  let subject = PassthroughSubject<Int, Boom>()
  weak var canary: Canary?
  let bag = DisposeBag()
  func build() {
    let made = Canary { [unowned world] in world.notes.append("freed") }
    canary = made
    var pipeline = lane(
      subject.toSignal().map { number in
        made.sing()
        return number
      })
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let step = Step.allCases[Int.random(in: 0..<Step.allCases.count, using: &random)]
      world.notes.append("\(step)")
      pipeline = lane(step.apply(pipeline, world))
    }
    pipeline.observe { event in world.notes.append("\(event)") }.dispose(in: bag)
  }
  build()
  let end = Int.random(in: 0..<4, using: &random)
  for number in 0..<8 {
    subject.send(Int.random(in: 0..<6, using: &random))
    if number % 3 == 2 { world.time.advance(by: 1) }
    if number == 5, end == 0 { bag.dispose() }
  }
  switch end {
  case 1: subject.send(completion: .finished)
  case 2: subject.send(completion: .failure(Boom()))
  default: break
  }
  world.time.advance(by: 10)
  bag.dispose()
  world.notes.append("at the end \(canary == nil ? "freed" : "held")")
  return world.notes
}

@Suite("Random pipelines with lanes")
struct LaneLawTests {
  @Test("Random pipelines behave the same with and without lane", arguments: 0..<8)
  func laws(block: Int) throws {
    let log = try RecordedLog()
    for seed in UInt64(block * 60)..<UInt64(block * 60 + 60) {
      let plain = run(seed) { $0 }
      #expect(plain.last == "at the end freed")
      let traced = run(seed) { $0.lane("lane", in: log) }
      #expect(traced == plain, "seed \(seed)")
      let off = run(seed) { $0.lane("lane", in: nil) }
      #expect(off == plain, "seed \(seed)")
    }
    let lines = try log.lines()
    let ends = ["completed", "failed", "disposed", "released"]
    let begun = lines.count { $0.event == "subscribe" }
    #expect(begun > 100)
    #expect(begun == lines.count { ends.contains($0.event) })
  }
}
