import ReactiveKit

extension LeakCase {
  static let newsDesk = held(
    "multicast-connection-left", lanes: ["news.wire"], roots: ["NewsWire.items"],
    also: ["NewsDesk.wire"], holder: ["discarded"], alive: false,
    .now {
      let desk = NewsDesk()
      desk.open()
      NewsWire.items.send("Rain")
      desk.close()
      return desk
    })
}

enum NewsWire {
  static let items = PassthroughSubject<String, Never>()
}

/// A desk that disposes its observers, but not the connection that they share.
final class NewsDesk {
  private var editors = ["", "", ""]
  private let bag = DisposeBag()

  func open() {
    let wire = NewsWire.items.traced("news.wire").publish()
    for editor in editors.indices {
      wire.observeNext { [weak self] in self?.editors[editor] = $0 }.dispose(in: bag)
    }
    _ = wire.connect()  // observed
  }

  func close() { bag.dispose() }
}
