import ReactiveKit

extension LeakCase {
  static let pollingClient = cycle(
    "closure-captures-itself", lanes: ["poll.answers"],
    path: ["closure at PollingClient.swift:28 captures the variable poll"],
    breaks: "closure at PollingClient.swift:28",
    .now {
      startPolling(PollingServer.answers)
      PollingServer.answers.send(2)
      return nil
    })
}

enum PollingServer {
  static let answers = PassthroughSubject<Int, Never>()
}

/// Repeats a request with a closure that calls itself, and so retains itself and its bag.
private func startPolling(_ answers: some SignalProtocol<Int, Never>) {
  let bag = DisposeBag()
  var attempts = 0
  var poll: (() -> Void)?
  answers
    .traced("poll.answers")
    .observeNext { attempts += $0 }  // observed
    .dispose(in: bag)
  poll = {
    attempts += 1
    if attempts < 3 { poll?() } else { bag.isEmpty() }
  }
  poll?()
}

extension DisposeBag {
  fileprivate func isEmpty() { _ = isDisposed }
}
