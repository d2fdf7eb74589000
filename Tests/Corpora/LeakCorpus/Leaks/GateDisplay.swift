import ReactiveKit

extension LeakCase {
  static let gateDisplay = cycle(
    "two-call-paths", lanes: ["gate.calls"], path: ["closure", "GateDisplay.bag"],
    breaks: "closure",
    .now {
      let display = GateDisplay()
      display.open()
      display.reopen()
      BoardingCalls.calls.send("LH 454")
      return display
    })
}

enum BoardingCalls {
  static let calls = PassthroughSubject<String, Never>()
}

/// A display with two methods that observe through a third one, which contains the mistake.
final class GateDisplay {
  private var shown: [String] = []
  private let bag = DisposeBag()

  func open() { listen() }

  func reopen() {
    shown = []
    listen()
  }

  private func listen() {
    BoardingCalls.calls
      .traced("gate.calls")
      .observeNext { self.shown.append($0) }  // observed
      .dispose(in: bag)
  }
}
