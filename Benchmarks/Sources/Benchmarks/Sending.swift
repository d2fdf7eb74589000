import OpenCombine
import ReactiveKit

/// Sends numbers to a ReactiveKit subject that `observe` observes.
func sendingOurs(
  _ observe: (ReactiveKit.PassthroughSubject<Int, Never>, Sum) -> any Disposable
) -> Work {
  let subject = ReactiveKit.PassthroughSubject<Int, Never>()
  let observation = observe(subject, Sum())
  return { count in
    for number in 0..<count { subject.send(number) }
    withExtendedLifetime(observation) {}
  }
}

/// Sends numbers to an OpenCombine subject that `observe` observes.
func sendingPeer(
  _ observe: (OpenCombine.PassthroughSubject<Int, Never>, Sum) -> OpenCombine.AnyCancellable
) -> Work {
  let subject = OpenCombine.PassthroughSubject<Int, Never>()
  let observation = observe(subject, Sum())
  return { count in
    for number in 0..<count { subject.send(number) }
    withExtendedLifetime(observation) {}
  }
}

/// Calls a hand-written chain with numbers.
func working(_ next: @escaping Next) -> Work {
  { count in for number in 0..<count { next(number) } }
}
