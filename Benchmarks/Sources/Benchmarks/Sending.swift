import ReactiveKit

/// Sends numbers to a ReactiveKit subject that `observe` observes.
func sendingOurs(
  _ observe: (PassthroughSubject<Int, Never>, Sum) -> any Disposable
) -> Work {
  let subject = PassthroughSubject<Int, Never>()
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
