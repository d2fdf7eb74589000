import ReactiveKit

extension LeakCase {
  static let closingWindow = fine(
    "strong-self-disposed", lanes: ["window.titles"],
    .now {
      let window = ClosingWindow()
      window.open()
      WindowServer.titles.send("fine")
      window.close()
      return window
    })
}

enum WindowServer {
  static let titles = PassthroughSubject<String, Never>()
}

/// A window that captures itself strongly, and disposes the subscription when it closes.
final class ClosingWindow {
  private var title = ""
  private let bag = DisposeBag()

  func open() {
    WindowServer.titles
      .traced("window.titles")
      .observeNext { self.title = $0 }  // observed
      .dispose(in: bag)
  }

  func close() { bag.dispose() }
}
