import Synchronization
import TerminalUI
import TraceAnalysis
import TraceFormat

/// A line on standard error about how far reading has come, where that is a terminal and takes long enough to wonder.
final class ReadingProgress: Sendable {
  private let read = Atomic(0)
  /// The tenth of a second since the start in which it was last shown; what is shown before half a second is over is nothing.
  private let shown = Atomic(5)
  private let total: Int
  private let descriptor: Int32
  private let start = ContinuousClock.now

  /// Nil where nobody would see it.
  init?(_ files: [LogSource], _ console: Console) {
    guard console.error.isTerminal, let descriptor = console.error.output.descriptor else {
      return nil
    }
    total = files.reduce(0) { $0 + $1.size }
    self.descriptor = descriptor
  }

  /// Called from any thread.
  @Sendable
  func advance(_ bytes: Int) {
    let read = read.wrappingAdd(bytes, ordering: .relaxed).newValue
    let tenth = Int(start.duration(to: .now) / .milliseconds(100))
    let last = shown.load(ordering: .relaxed)
    // One of the threads shows it.
    guard tenth > last,
      shown.compareExchange(expected: last, desired: tenth, ordering: .relaxed).exchanged
    else { return }
    Output.writeNow(
      "\r\u{1B}[KReading: \(read * 100 / max(1, total)) % of \(total >> 20) MB", to: descriptor)
  }

  /// Takes the line away.
  func finish() {
    if shown.load(ordering: .relaxed) > 5 { Output.writeNow("\r\u{1B}[K", to: descriptor) }
  }
}
