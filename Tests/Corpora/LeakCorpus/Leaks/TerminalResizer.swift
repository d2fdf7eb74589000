import Dispatch
import ReactiveKit

extension LeakCase {
  static let terminalResizer = cycle(
    "dispatch-signal-source", lanes: ["terminal.width"],
    path: ["closure at TerminalResizer", "TerminalResizer.sources", "TerminalResizer.bag"],
    breaks: "closure",
    .now {
      let resizer = TerminalResizer()
      resizer.start()
      return resizer
    })
}

enum TerminalSettings {
  static let width = Property(80)
}

/// A resizer that handles Unix signals with dispatch sources that it stores in an array.
final class TerminalResizer {
  private var width = 0
  private let bag = DisposeBag()
  private var sources: [any DispatchSourceSignal] = []

  func start() {
    TerminalSettings.width
      .traced("terminal.width")
      .observeNext { [weak self] in self?.width = $0 }  // observed
      .dispose(in: bag)
    let window: Int32 = 28  // SIGWINCH
    let source = DispatchSource.makeSignalSource(signal: window, queue: .global())
    source.setEventHandler { [unowned self] in width += 1 }
    source.setCancelHandler { self.close() }
    source.resume()
    sources.append(source)
  }

  private func close() { width = 0 }
}
