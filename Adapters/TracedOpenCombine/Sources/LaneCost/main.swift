import OpenCombine
import ReactiveKit
import ReactiveTrace
import TracedOpenCombine

// Prints what a lane adds to an element, in ReactiveKit and in OpenCombine. Build it optimized, and
// pass the path of a log that may be replaced: LaneCost log.jsonl

let elements = 20_000
let rounds = 100

guard let path = CommandLine.arguments.dropFirst().first else { fatalError("Name a log.") }
try Trace.start(to: [.file(path)])
var sum = 0
let bag = DisposeBag()
var cancellables: Set<OpenCombine.AnyCancellable> = []

let plainSignal = ReactiveKit.PassthroughSubject<Int, Never>()
plainSignal.observeNext { sum &+= $0 }.dispose(in: bag)
let tracedSignal = ReactiveKit.PassthroughSubject<Int, Never>()
tracedSignal.lane("signal").observeNext { sum &+= $0 }.dispose(in: bag)
let plainPublisher = OpenCombine.PassthroughSubject<Int, Never>()
plainPublisher.sink { sum &+= $0 }.store(in: &cancellables)
let tracedPublisher = OpenCombine.PassthroughSubject<Int, Never>()
tracedPublisher.lane("publisher").sink { sum &+= $0 }.store(in: &cancellables)

/// The shortest time for an element in any round, in nanoseconds.
var shortest = [Double](repeating: .infinity, count: 4)
let sends: [(Int) -> Void] = [
  { plainSignal.send($0) }, { tracedSignal.send($0) }, { plainPublisher.send($0) },
  { tracedPublisher.send($0) },
]
// In turns, so that other work of the machine affects all of them alike.
for _ in 0..<rounds {
  for (index, send) in sends.enumerated() {
    let start = ContinuousClock.now
    for element in 0..<elements { send(element) }
    shortest[index] = min(shortest[index], (ContinuousClock.now - start) / .nanoseconds(elements))
  }
}

let shown = shortest.map { Int($0.rounded()) }
print("ReactiveKit: \(shown[0]) ns without a lane, \(shown[1]) ns with one")
print("OpenCombine: \(shown[2]) ns without a lane, \(shown[3]) ns with one")
let ratio = (shortest[3] - shortest[2]) / (shortest[1] - shortest[0])
print("A lane costs \((ratio * 100).rounded() / 100) times as much in OpenCombine. (\(sum))")
Trace.stop()
