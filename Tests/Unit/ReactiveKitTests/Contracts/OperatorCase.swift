import ReactiveKit
import TestSupport
import Testing

/// An operator from numbers to numbers, so that tests can treat all operators alike and chain them.
// Unchecked: cases are only read.
struct OperatorCase: CustomTestStringConvertible, @unchecked Sendable {
  typealias Source = Signal<Int, TestError>

  let name: String
  /// Makes the operator's signal. The test advances the time.
  let apply: (Source, VirtualScheduler) -> Source

  /// The number of operators in the test of long chains. It is lower if each operator sends its own
  /// elements through the whole chain on observation, which is quadratic work.
  var chainLength = 10_000

  init(_ name: String, chainLength: Int = 10_000, _ apply: @escaping (Source) -> Source) {
    self.name = name
    self.chainLength = chainLength
    self.apply = { source, _ in apply(source) }
  }

  init(_ name: String, timed apply: @escaping (Source, VirtualScheduler) -> Source) {
    self.name = name
    self.apply = apply
  }

  var testDescription: String { name }

  /// All operators.
  static let all: [OperatorCase] =
    transforming + filtering + combining + flattening + failing + watching + timing + sharing
}

/// A test source that counts its observations and their disposals.
final class CountingSource {
  let subject = PassthroughSubject<Int, TestError>()
  private let counts = Locked<(observed: Int, disposed: Int)>((0, 0))

  var signal: Signal<Int, TestError> {
    Signal { [self] observer in
      counts.withLock { $0.observed += 1 }
      let disposable = subject.observe(with: observer)
      return BlockDisposable { [self] in
        counts.withLock { $0.disposed += 1 }
        disposable.dispose()
      }
    }
  }

  var observedCount: Int { counts.withLock { $0.observed } }
  var disposedCount: Int { counts.withLock { $0.disposed } }
}
