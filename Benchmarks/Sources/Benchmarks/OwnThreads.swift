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
