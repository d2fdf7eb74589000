import ReactiveKit
import ReactiveTrace

// Repeats one operation, so that Benchmarks/instructions can count its instructions. The script
// runs each row with two numbers of repetitions and divides the difference. It compiles this file
// against two versions of the library, so the file uses only API that both have.

struct Reading {
  var sensor: String
  var value: Double
  var isValid: Bool
}

struct Order {
  var id: Int
  var sensor: String
  var value: Double
  var isValid: Bool
  var first: Reading
  var count: Int
  var note: String?
  var ratio: Double
  var isLast: Bool
  var name: String
}

/// A sum that the optimizer can't remove.
nonisolated(unsafe) var checksum = 0

@inline(never)
func observeAndDispose(_ subject: PassthroughSubject<Int, Never>) {
  subject.observeNext { checksum &+= $0 }.dispose()
}

func send<Element>(_ elements: [Element], count: Int, on lane: String?) {
  let subject = PassthroughSubject<Element, Never>()
  let signal = lane.map { subject.lane($0) } ?? subject.toSignal()
  let disposable = signal.observeNext { _ in checksum &+= 1 }
  for number in 0..<count { subject.send(elements[number % elements.count]) }
  disposable.dispose()
}

func run(_ row: String, count: Int) -> Bool {
  switch row {
  case "send": send(Array(0..<100), count: count, on: nil)
  case "integer": send(Array(0..<100), count: count, on: "sensor.raw")
  case "string": send((0..<100).map { "reading-\($0)" }, count: count, on: "sensor.text")
  case "truncated":
    let report = String(repeating: "reading ", count: 125)
    send((0..<100).map { report + "\($0)" }, count: count, on: "sensor.reports")
  case "double": send((0..<100).map { Double($0) * 1.37 }, count: count, on: "sensor.double")
  case "array": send((0..<100).map { [$0, $0 + 1, $0 + 2] }, count: count, on: "sensor.array")
  case "off": send(Array(0..<100), count: count, on: "sensor.raw")
  case "struct":
    let readings = (0..<100).map {
      Reading(sensor: "s\($0)", value: Double($0) / 4, isValid: $0 % 2 == 0)
    }
    send(readings, count: count, on: "sensor.values")
  case "struct of 10":
    let orders = (0..<100).map {
      Order(
        id: $0, sensor: "s\($0)", value: Double($0) / 4, isValid: $0 % 2 == 0,
        first: Reading(sensor: "first", value: 0.5, isValid: true), count: 3 * $0, note: nil,
        ratio: Double($0) / 8, isLast: false, name: "order \($0)")
    }
    send(orders, count: count, on: "sensor.orders")
  case "dictionary":
    let values = (0..<100).map { ["a": $0 & 7, "b": 2, "c": 3] }
    send(values, count: count, on: "sensor.counts")
  case "chain":
    let subject = PassthroughSubject<Int, Never>()
    let signal = subject.map { $0 &+ 1 }.map { $0 &* 3 }.filter { $0 != 7 }
      .map { $0 &+ 2 }.filter { $0 != 9 }.map { $0 ^ 5 }
    let disposable = signal.observeNext { checksum &+= $0 }
    for number in 0..<count { subject.send(number) }
    disposable.dispose()
  case "sequence":
    Signal<Int, Never>(sequence: 0..<count).map { $0 &* 3 }.filter { $0 & 1 == 0 }
      .observeNext { checksum &+= $0 }.dispose()
  case "combine":
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let disposable = combineLatest(first, second).observeNext { checksum &+= $0 &+ $1 }
    second.send(1)
    for number in 0..<count { first.send(number) }
    disposable.dispose()
  case "observe", "place":
    let subject = PassthroughSubject<Int, Never>()
    for _ in 0..<count { observeAndDispose(subject) }
  case "subscription":
    let subject = PassthroughSubject<Int, Never>()
    let signal = subject.lane("sensor.raw")
    for _ in 0..<count { signal.observeNext { checksum &+= $0 }.dispose() }
  case "shared observer":
    let subject = PassthroughSubject<Int, Never>()
    let signal = subject.lane("sensor.raw").share().lane("sensor.shared")
    let first = signal.observeNext { checksum &+= $0 }
    for _ in 0..<count { signal.observeNext { checksum &+= $0 }.dispose() }
    first.dispose()
  default: return false
  }
  return true
}

let row = CommandLine.arguments[1]
let count = Int(CommandLine.arguments[2]) ?? 0
guard run(row, count: count) else { fatalError("Unknown row: \(row)") }
print(checksum)
