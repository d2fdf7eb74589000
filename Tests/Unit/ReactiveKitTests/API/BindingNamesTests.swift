import ReactiveKit
import TestSupport
import Testing

private final class Target: DisposeBagProvider, BindingExecutionContextProvider {
  let bag = DisposeBag()
  var bindingExecutionContext: ExecutionContext { .immediate }
  var number = 0
  var count = 0
}

@Suite("Names of bindings")
struct BindingNamesTests {
  @Test("A signal binds to setters and key paths")
  func bind() {
    let target = Target()
    safeNumbers.bind(to: target) { $0.number += $1 }
    #expect(target.number == 6)
    safeNumbers.bind(to: target, setter: { $0.number += $1 })
    safeNumbers.eraseType().bind(to: target) { $0.count += 1 }
    safeNumbers.eraseType().bind(to: target, context: .immediate) { $0.count += 1 }
    safeNumbers.bind(to: target, context: .immediate) { $0.number = $1 }
    safeNumbers.bind(to: target, keyPath: \.number)
    safeNumbers.bind(to: target, keyPath: \.number, context: .immediate)
    #expect(target.number == 3)
    #expect(target.count == 6)
  }

  @Test("A binding ends with its target, and sets nothing after that")
  func end() {
    let source = PassthroughSubject<Int, Never>()
    var target: Target? = Target()
    var calls = 0
    let disposable = target.map { source.bind(to: $0) { _, _ in calls += 1 } }
    source.send(1)
    var isGone = false
    let gone = target?.deallocated.observeCompleted { isGone = true }
    target = nil
    source.send(2)
    #expect(calls == 1)
    #expect(isGone)
    #expect(disposable?.isDisposed == true)
    gone?.dispose()
  }
}
