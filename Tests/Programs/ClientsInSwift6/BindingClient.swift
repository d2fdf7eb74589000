import Foundation
import ReactiveKit

/// A label with the members that a binding library adds.
final class Label: NSObject, BindingExecutionContextProvider {
  var text = ""
  var onTap: () -> Void = {}
  var onEdit: ((String) -> Void)?
  var bindingExecutionContext: ExecutionContext { return .immediate }
}

extension ReactiveExtensions where Base: Label {
  var text: SafeSignal<String> { return SafeSignal(just: base.text) }
}

/// A subject with its own locks, like those of binding libraries.
final class Store<Value>: SignalProtocol, BindableProtocol {
  typealias Element = Value
  typealias Error = Never

  private let lock = NSRecursiveLock(name: "client.store")
  private let names = NSLock(name: "client.names")
  private let subject = ReplaySubject<Value, Never>(bufferSize: 1)
  let bag = DisposeBag()

  func update(_ value: Value) {
    lock.lock()
    defer { lock.unlock() }
    subject.send(value)
  }

  var description: String { return "\(lock.name ?? "") \(names.name ?? "")" }

  func observe(with observer: @escaping Observer<Value, Never>) -> Disposable {
    return subject.observe(with: observer)
  }

  func bind(signal: Signal<Value, Never>) -> Disposable {
    let disposable = signal.prefix(untilOutputFrom: bag.deallocated).observeNext { [weak self] in
      self?.update($0)
    }
    bag.add(disposable: disposable)
    return disposable
  }
}

extension NSObject {
  /// Binds to the same type, as binding libraries do.
  func follow<S: SignalProtocol, B: BindableProtocol>(_ signal: S, with bindable: B)
  where S.Element == B.Element, S.Error == Never {
    signal.bind(to: bindable)
  }

  /// Binds to an optional of that type, without naming `Optional`.
  func follow<S: SignalProtocol, B: BindableProtocol>(_ signal: S, with bindable: B)
  where B.Element: OptionalProtocol, S.Element == B.Element.Wrapped, S.Error == Never {
    signal.bind(to: bindable)
  }
}

func bindingClient() -> [String] {
  let bag = DisposeBag()
  var log: [String] = []

  let label = Label()
  label.text = "one"
  label.reactive.text.observeNext { log.append($0) }.dispose(in: bag)
  _ = NSObject().reactive

  let taps = Signal(takingOver: &label.onTap)
  taps.observeNext { log.append("tap") }.dispose(in: bag)
  label.onTap()
  let edits = Signal(takingOver: &label.onEdit)
  edits.observeNext { (text: String) in log.append(text) }.dispose(in: bag)
  label.onEdit?("edited")
  var failing: (Int) -> Void = { _ in }
  let numbers = Signal<Int, URLError>(takingOver: &failing)
  numbers.observeNext { log.append("\($0)") }.dispose(in: bag)
  failing(3)

  let store = Store<Int>()
  SafeSignal(just: 4).bind(to: store).dispose(in: bag)
  store.observeNext { log.append("stored \($0)") }.dispose(in: bag)
  log.append(store.description)

  let optional = Store<Int?>()
  let nested = Property<Int??>(nil)
  optional.observeNext { log.append("optional \($0 ?? 0)") }.dispose(in: bag)
  SafeSignal(just: 5).bind(to: optional).dispose(in: bag)
  SafeSignal<Int?>(just: nil).bind(to: optional).dispose(in: bag)
  SafeSignal<Int?>(just: 6).bind(to: nested)
  SafeSignal(sequence: [1, nil, 7]).bind(to: nested)
  label.follow(SafeSignal(just: 8), with: optional)
  label.follow(SafeSignal<Int?>(just: 9), with: optional)
  Property("text").bind(to: Property<String?>(nil)).dispose(in: bag)
  log.append("nested \((nested.value ?? 0) ?? 0)")

  #if canImport(ObjectiveC)
    label.reactive.deallocated.observeCompleted {}.dispose(in: label.reactive.bag)
    SafeSignal(just: "bound").bind(to: label) { $0.text = $1 }
    Operation().reactive.publisher(for: \.isFinished).observeNext { _ in }.dispose(in: bag)
  #endif

  bag.dispose()
  return log
}
