import OpenCombine
import ReactiveKit
import ReactiveTrace
import TracedOpenCombine

// Prints what a lane adds to an element, in ReactiveKit and in OpenCombine. Build it optimized, and
// pass the path of a log that may be replaced: LaneCost log.jsonl

let elements = 200_000
let rounds = 9

/// Returns the shortest time for an element, in nanoseconds.
func nanoseconds(_ send: (Int) -> Void) -> Double {
  (0..<rounds).map { _ in
    let start = ContinuousClock.now
    for element in 0..<elements { send(element) }
    return (ContinuousClock.now - start) / .nanoseconds(elements)
  }.min() ?? 0
}

guard let path = CommandLine.arguments.dropFirst().first else { fatalError("Name a log.") }
try Trace.start(to: [.file(path)])
var sum = 0

let plainSubject = ReactiveKit.PassthroughSubject<Int, Never>()
let plainBag = DisposeBag()
plainSubject.observeNext { sum &+= $0 }.dispose(in: plainBag)
let plainSignal = nanoseconds { plainSubject.send($0) }

let tracedSubject = ReactiveKit.PassthroughSubject<Int, Never>()
tracedSubject.lane("signal").observeNext { sum &+= $0 }.dispose(in: plainBag)
let tracedSignal = nanoseconds { tracedSubject.send($0) }

let plainPublisher = OpenCombine.PassthroughSubject<Int, Never>()
var cancellables: Set<OpenCombine.AnyCancellable> = []
plainPublisher.sink { sum &+= $0 }.store(in: &cancellables)
let plain = nanoseconds { plainPublisher.send($0) }

let tracedPublisher = OpenCombine.PassthroughSubject<Int, Never>()
tracedPublisher.lane("publisher").sink { sum &+= $0 }.store(in: &cancellables)
let traced = nanoseconds { tracedPublisher.send($0) }

func shown(_ number: Double) -> String { String(Int(number.rounded())) }
print("ReactiveKit: \(shown(plainSignal)) ns without a lane, \(shown(tracedSignal)) ns with one")
print("OpenCombine: \(shown(plain)) ns without a lane, \(shown(traced)) ns with one")
let ratio = (traced - plain) / (tracedSignal - plainSignal)
print("A lane costs \((ratio * 100).rounded() / 100) times as much in OpenCombine. (\(sum))")
Trace.stop()
