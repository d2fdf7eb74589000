import Synchronization
import TerminalUI
import TraceAnalysis
import ViewerConsole

/// A progress line on standard error while logs are read. It appears only on a terminal and only if
/// reading takes longer than half a second.
final class ReadingProgress: Sendable {
  private let read = Atomic(0)
  /// The tenth of a second since the start in which the line was last shown. The initial value
  /// suppresses the line for the first half second.
  private let shown = Atomic(5)
  private let total: Int
  private let descriptor: Int32
  private let start = ContinuousClock.now

  /// Creates the progress line, or returns `nil` if standard error is not a terminal.
  init?(_ files: [LogSource], _ console: Console) {
    guard console.error.isTerminal, let descriptor = console.error.output.descriptor else {
      return nil
    }
    total = files.reduce(0) { $0 + $1.size }
    self.descriptor = descriptor
  }

  /// Counts bytes that were read. Any thread may call this method.
  @Sendable
  func advance(_ bytes: Int) {
    let read = read.wrappingAdd(bytes, ordering: .relaxed).newValue
    let tenth = Int(start.duration(to: .now) / .milliseconds(100))
    let last = shown.load(ordering: .relaxed)
    // Only one of the threads shows the line.
    guard tenth > last,
      shown.compareExchange(expected: last, desired: tenth, ordering: .relaxed).exchanged
    else { return }
    Output.writeNow(
      "\r\u{1B}[KReading: \(read * 100 / max(1, total)) % of \(total >> 20) MB", to: descriptor)
  }

  /// Removes the line.
  func finish() {
    if shown.load(ordering: .relaxed) > 5 { Output.writeNow("\r\u{1B}[K", to: descriptor) }
  }
}
