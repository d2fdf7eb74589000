import ReactiveKit
import TestSupport
import Testing

/// A name of the public interface: code that calls it as clients do, and what comes of it.
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

  /// The name of an operator, and the events of what it makes.
  init<S: SignalProtocol>(_ name: String, _ expected: String, signal: @escaping () -> S) {
    self.init(name, expected) { signal().drawn }
  }

  var testDescription: String { name }
}

typealias Numbers = Signal<Int, TestError>
typealias SafeNumbers = SafeSignal<Int>

/// 1, 2, 3 and the end; may fail by its type.
let oneTwoThree = Unchecked(Numbers(sequence: [1, 2, 3]))
/// 1, 2, 3 and the end; cannot fail.
let safeOneTwoThree = Unchecked(SafeNumbers(sequence: [1, 2, 3]))
/// 1, and then it fails.
let oneThenFailure = Unchecked(Numbers(just: 1).append(Numbers.failed(TestError())))

var numbers: Numbers { oneTwoThree.value }
var safeNumbers: SafeNumbers { safeOneTwoThree.value }
var oneAndFailure: Numbers { oneThenFailure.value }
