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
  @Test("bind to setters and key paths")
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

  @Test("end with their target, and set nothing after that")
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

  @Test("bind both ways, and send nothing back to where it came from")
  func bidirectional() {
    let left = Property(1)
    let right = Property(2)
    let (leftRecorder, first) = left.record()
    let (rightRecorder, second) = right.record()
    let binding = left.bidirectionalBind(to: right)
    #expect(right.value == 1)
    left.value = 3
    right.value = 4
    left.value = 5
    #expect(leftRecorder.elements == [1, 3, 4, 5])
    #expect(rightRecorder.elements == [2, 1, 3, 4, 5])
    binding.dispose()
    left.value = 6
    #expect(right.value == 5)
    first.dispose()
    second.dispose()
  }

  @Test("bind subjects both ways from the first element on")
  func bidirectionalSubjects() {
    let left = PassthroughSubject<Int, Never>()
    let right = PassthroughSubject<Int, Never>()
    left.bidirectionalBind(to: right)
    let (leftRecorder, first) = left.record()
    let (rightRecorder, second) = right.record()
    right.send(1)
    left.send(2)
    #expect(leftRecorder.elements == [1, 2])
    #expect(rightRecorder.elements == [1, 2])
    first.dispose()
    second.dispose()
  }

  @Test("leave both sides equal where an observer of one corrects it")
  func correction() {
    let left = Property(0)
    let right = Property(0)
    left.bidirectionalBind(to: right)
    let clamp = right.observeNext { if $0 > 10 { right.value = 10 } }
    left.value = 50
    #expect(left.value == 10)
    #expect(right.value == 10)
    clamp.dispose()
  }
}
