import ReactiveKit
import TestSupport
import Testing

/// A name in the public API, with code that calls it as clients do, and the expected result.
// Unchecked: rows are only read.
struct APIRow: CustomTestStringConvertible, @unchecked Sendable {
  let name: String
  let expected: String
  let run: () -> String

  init(_ name: String, _ expected: String, _ run: @escaping () -> String) {
    self.name = name
    self.expected = expected
    self.run = run
  }

  /// Creates a row for an operator, with the events of its signal.
  init<S: SignalProtocol>(_ name: String, _ expected: String, signal: @escaping () -> S) {
    self.init(name, expected) { signal().drawn }
  }

  var testDescription: String { name }
}

typealias Numbers = Signal<Int, TestError>
typealias SafeNumbers = SafeSignal<Int>

/// A signal of 1, 2, 3 and the end, of a type that can fail.
let oneTwoThree = Unchecked(Numbers(sequence: [1, 2, 3]))
/// A signal of 1, 2, 3 and the end, of a type that can't fail.
let safeOneTwoThree = Unchecked(SafeNumbers(sequence: [1, 2, 3]))
/// A signal that sends 1 and then fails.
let oneThenFailure = Unchecked(Numbers(just: 1).append(Numbers.failed(TestError())))

var numbers: Numbers { oneTwoThree.value }
var safeNumbers: SafeNumbers { safeOneTwoThree.value }
var oneAndFailure: Numbers { oneThenFailure.value }
