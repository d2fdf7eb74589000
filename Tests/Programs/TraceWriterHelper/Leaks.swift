import ReactiveKit
import ReactiveTrace

/// A process that doesn't dispose some of its subscriptions.
enum Leaks {
  private static let kept = Locked<PassthroughSubject<String, Never>?>(nil)

  /// Makes subscriptions on seven lanes, one after the other, and sends `elements` elements to
  /// each. Every third is never disposed. Every fifth has the lifetime of the process.
  static func leave(_ count: Int, elements: Int) {
    let subject = PassthroughSubject<String, Never>()
    kept.withLock { $0 = subject }
    for number in 0..<count {
      let disposable = subject.lane(
        "lane \(number % 7) \"ü\"", lifetime: number % 5 == 4 ? .process : .normal
      ).observe { _ in }
      for element in 0..<elements { subject.send("element \(element) of \(number)") }
      if number % 3 != 0 { disposable.dispose() }
    }
  }
}
