import ReactiveKit
import TestSupport
import Testing

@Suite("bidirectionalBind", .ownThread)
struct BidirectionalBindTests {
  @Test("A two-way binding forwards values in both directions, but not back to their origin")
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

  @Test("A two-way binding of subjects forwards every element from the first one on")
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

  @Test("A two-way binding leaves both sides equal if an observer of one side corrects its value")
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

  @Test("A side of a two-way binding that has no value takes the value of the other side")
  func oneSideHasValue() {
    let left = PassthroughSubject<Int, Never>()
    let right = Property(7)
    let (recorder, disposable) = left.record()
    left.bidirectionalBind(to: right)
    #expect(recorder.elements == [7])
    left.send(8)
    #expect(right.value == 8)
    right.value = 9
    #expect(recorder.elements == [7, 8, 9])
    disposable.dispose()
  }

  @Test("A two-way binding can be made inside an observer of either side")
  func insideObserver() {
    let left = Property(1)
    let right = Property(2)
    let bag = DisposeBag()
    right.observeNext { number in
      if number == 3 { left.bidirectionalBind(to: right).dispose(in: bag) }
    }.dispose()
    let disposable = right.observeNext { number in
      if number == 3 { left.bidirectionalBind(to: right).dispose(in: bag) }
    }
    right.value = 3
    left.value = 4
    right.value = 5
    #expect(left.value == 5)
    #expect(right.value == 5)
    disposable.dispose()
  }

  @Test("Two bound properties are equal after several threads have set them")
  func threads() {
    for _ in 0..<50 {
      let left = Property(0)
      let right = Property(0)
      let binding = left.bidirectionalBind(to: right)
      onThreads(4) { thread in
        for number in 0..<20 {
          (thread % 2 == 0 ? left : right).value = thread * 100 + number
        }
      }
      left.value = -1
      #expect(right.value == -1)
      right.value = -2
      #expect(left.value == -2)
      binding.dispose()
    }
  }

  @Test("A two-way binding doesn't keep its properties alive")
  func freed() {
    weak var right: Property<Int>?
    let left = Property(0)
    do {
      let made = Property(1)
      right = made
      left.bidirectionalBind(to: made)
      #expect(made.value == 0)
    }
    #expect(right == nil)
    left.value = 5
    #expect(left.value == 5)
  }
}
