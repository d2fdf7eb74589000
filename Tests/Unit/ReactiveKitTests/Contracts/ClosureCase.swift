import ReactiveKit
import TestSupport
import Testing

/// An operator that calls a closure, which performs an action before it returns.
// Unchecked: cases are only read.
struct ClosureCase: CustomTestStringConvertible, @unchecked Sendable {
  typealias Source = Signal<Int, TestError>

  let name: String
  /// Makes the operator's signal, whose closure calls the given closure.
  let apply: (Source, @escaping () -> Void) -> Source

  init(_ name: String, _ apply: @escaping (Source, @escaping () -> Void) -> Source) {
    self.name = name
    self.apply = apply
  }

  var testDescription: String { name }

  static let all: [ClosureCase] = passing + several + joining + failing + making

  private static let passing: [ClosureCase] = [
    ClosureCase("map") { source, act in
      source.map {
        act()
        return $0
      }
    },
    ClosureCase("scan") { source, act in
      source.scan(0) {
        act()
        return $1
      }
    },
    ClosureCase("filter") { source, act in
      source.filter { _ in
        act()
        return true
      }
    },
    ClosureCase("compactMap") { source, act in
      source.compactMap {
        act()
        return $0
      }
    },
    ClosureCase("removeDuplicates(by:)") { source, act in
      source.removeDuplicates { _, _ in
        act()
        return false
      }
    },
    ClosureCase("prefix(while:)") { source, act in
      source.prefix { _ in
        act()
        return true
      }
    },
    ClosureCase("prefix(while:inclusive:)") { source, act in
      source.prefix(
        while: { _ in
          act()
          return false
        }, inclusive: true)
    },
    ClosureCase("flatMap to an array") { source, act in
      source.flatMap { number -> [Int] in
        act()
        return [number, number]
      }
    },
    ClosureCase("handleEvents(receiveOutput:)") { source, act in
      source.handleEvents(receiveOutput: { _ in act() })
    },
    ClosureCase("handleEvents(receiveCompletion:)") { source, act in
      source.handleEvents(receiveCompletion: { _ in act() })
    },
    ClosureCase("handleEvents(receiveSubscription:)") { source, act in
      source.prepend(0).handleEvents(receiveSubscription: act)
    },
    ClosureCase("feedNext(into:map:)") { source, act in
      source.feedNext(into: PassthroughSubject<Int, Never>()) {
        act()
        return $0
      }
    },
  ]

  // Operators with several closures that are called for one event.
  private static let several: [ClosureCase] = [
    ClosureCase("feedNext(into:when:map:)") { source, act in
      let listener = PassthroughSubject<Int, Never>()
      return source.feedNext(
        into: listener,
        when: { _ in
          act()
          return true
        },
        map: {
          act()
          return $0
        })
    },
    ClosureCase("mapElement") { source, act in
      source.map { [$0, $0] }.mapElement {
        act()
        return $0
      }.flattenElements()
    },
    ClosureCase("flatMapError to Deferred") { source, act in
      source.append(Source.failed(TestError())).flatMapError { _ -> Deferred<Source> in
        act()
        return Deferred {
          act()
          return Source(just: 1)
        }
      }
    },
    ClosureCase("flatMapError to a client's subject") { source, act in
      source.append(Source.failed(TestError())).flatMapError { _ -> Subject<Int, TestError> in
        act()
        return Acting(act)
      }
    },
    ClosureCase("repeat(when:) with Deferred") { source, act in
      source.repeat { _ -> Deferred<SafeSignal<Int>> in
        act()
        return Deferred {
          act()
          return .never()
        }
      }
    },
  ]

  /// A subject that performs an action when it is observed.
  private final class Acting: Subject<Int, TestError> {
    private let act: () -> Void

    init(_ act: @escaping () -> Void) {
      self.act = act
      super.init()
    }

    override func observe(with observer: @escaping Observer<Int, TestError>) -> any Disposable {
      act()
      return super.observe(with: observer)
    }
  }

  private static let joining: [ClosureCase] = [
    ClosureCase("combineLatest") { source, act in
      source.combineLatest(with: SafeSignal(just: 1)) { number, _ in
        act()
        return number
      }
    },
    ClosureCase("zip") { source, act in
      source.zip(with: SafeSignal(sequence: 0..<9)) { number, _ in
        act()
        return number
      }
    },
    ClosureCase("with(latestFrom:)") { source, act in
      source.with(latestFrom: SafeSignal(just: 1)) { number, _ in
        act()
        return number
      }
    },
    ClosureCase("combiningLatest of many") { source, act in
      Signal(combiningLatest: [source, Source(just: 1)]) {
        act()
        return $0[0]
      }
    },
    ClosureCase("flatMapConcat") { source, act in
      source.flatMapConcat { number -> Source in
        act()
        return Source(just: number)
      }
    },
    ClosureCase("flatMapLatest") { source, act in
      source.flatMapLatest { number -> Source in
        act()
        return Source(just: number)
      }
    },
    ClosureCase("flatMapMerge") { source, act in
      source.flatMapMerge { number -> Source in
        act()
        return Source(just: number)
      }
    },
    ClosureCase("repeat(when:)") { source, act in
      source.repeat { _ -> SafeSignal<Int> in
        act()
        return SafeSignal(just: 1)
      }
    },
  ]

  private static let failing: [ClosureCase] = [
    ClosureCase("tryMap") { source, act in
      source.tryMap {
        act()
        return .success($0)
      }
    },
    ClosureCase("tryMap to a failure") { source, act in
      source.tryMap { _ -> Result<Int, TestError> in
        act()
        return .failure(TestError())
      }
    },
    ClosureCase("mapError") { source, act in
      source.append(Source.failed(TestError())).mapError {
        act()
        return $0
      }
    },
    ClosureCase("flatMapError") { source, act in
      source.append(Source.failed(TestError())).flatMapError { _ -> Source in
        act()
        return Source(just: 1)
      }
    },
    ClosureCase("retry") { source, act in
      source.append(Source.failed(TestError())).retry(3) { _ in
        act()
        return false
      }
    },
    ClosureCase("retry(when:)") { source, act in
      source.append(Source.failed(TestError())).retry(when: SafeSignal(just: 1)) { _ in
        act()
        return true
      }
    },
  ]

  private static let making: [ClosureCase] = [
    ClosureCase("Signal(deferring:)") { source, act in
      Source(deferring: {
        act()
        return source.prepend(0)
      })
    },
    ClosureCase("Deferred") { source, act in
      Deferred(signalFactory: { () -> Source in
        act()
        return source.prepend(0)
      }).toSignal()
    },
    ClosureCase("Signal(performing:)") { source, act in
      Source(performing: {
        act()
        return 1
      }).append(source)
    },
    ClosureCase("Signal(sequence:)") { source, act in
      var numbers = [1, 2, 3].makeIterator()
      return Source(
        sequence: AnySequence {
          AnyIterator {
            act()
            return numbers.next()
          }
        }
      ).append(source)
    },
    ClosureCase("liftValue") { source, act in
      source.toLoadingSignal().liftValue { values -> Source in
        act()
        return values.prepend(0)
      }.dematerializeLoadingState()
    },
  ]
}
