import ReactiveKit

extension LeakCase {
  static let ticketWindow = cycle(
    "cycle-three-instances", lanes: ["ticket.queue"], path: ["closure", "TicketWindow.bag"],
    breaks: "closure",
    .now {
      var last: TicketWindow?
      for _ in 0..<3 {
        let window = TicketWindow()
        window.open()
        TicketOffice.queue.send(7)
        last = window
      }
      return last
    })
}

enum TicketOffice {
  static let queue = PassthroughSubject<Int, Never>()
}

/// A window that opens three times, and leaks each time through the same closure.
final class TicketWindow {
  private var waiting = 0
  private let bag = DisposeBag()

  func open() {
    TicketOffice.queue
      .traced("ticket.queue")
      .observeNext { self.waiting = $0 }  // observed
      .dispose(in: bag)
  }
}
