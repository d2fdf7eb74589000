import Foundation

/// Runs `body` on `count` threads at the same time, and returns when all are done.
///
/// It uses system threads. A pool runs only as many at the same time as the machine has cores, so
/// it would measure something else on each machine.
func onThreads(_ count: Int, _ body: @escaping (Int) -> Void) {
  struct Unchecked: @unchecked Sendable {
    let body: (Int) -> Void
  }
  let unchecked = Unchecked(body: body)
  let done = DispatchGroup()
  for number in 0..<count {
    done.enter()
    Thread {
      unchecked.body(number)
      done.leave()
    }.start()
  }
  done.wait()
}

/// Has four threads send at the same time. Stops the program if an event is lost, or if two are
/// delivered at the same time.
func racing(_ name: String, _ sum: Sum, _ send: @escaping (Int) -> Void) -> Work {
  { count in
    let before = sum.value.pointee
    let share = (count + 3) / 4
    onThreads(4) { _ in for _ in 0..<share { send(1) } }
    let delivered = sum.value.pointee - before
    guard delivered == share * 4 else {
      fatalError(
        "\(name) delivered \(delivered) of \(share * 4) events: it lost some, or two at once.")
    }
  }
}
