import ReactiveKit
import TestSupport
import Testing

/// The stage on which a diagram is played, with a source for each input.
final class DiagramStage {
  private let stage = Stage()
  private let sources: [String: TestSource]

  init(_ diagram: MarbleDiagram) {
    let stage = stage
    sources = Dictionary(
      diagram.inputs.map { ($0.label, stage.cold($0.marbles)) }, uniquingKeysWith: { $1 })
  }

  var time: VirtualScheduler { stage.time }

  /// Runs an action at a second of virtual time.
  func at(_ second: Int, _ action: @escaping () -> Void) { stage.at(second, action) }

  /// The signal of an input. A diagram that uses an input that it does not draw fails.
  subscript(label: String) -> Signal<String, TestError> {
    guard let source = sources[label] else {
      Issue.record("The diagram has no row '\(label)'.")
      return .never()
    }
    return source.signal
  }

  /// The signal of an input that can't fail.
  func safe(_ label: String) -> SafeSignal<String> { self[label].suppressError(logging: false) }

  /// Plays the diagram, and compares all its events.
  func play(_ diagram: MarbleDiagram, _ table: [String: DiagramTable.Play]) {
    var watches: [(row: MarbleDiagram.Row, watch: Watch)] = []
    var signals: [String: any SignalProtocol] = [:]
    for row in diagram.results where signals[row.label] == nil {
      guard let makeSignal = table[row.label] else {
        Issue.record("\(diagram.page) has no play for '\(row.label)'.")
        return
      }
      signals[row.label] = makeSignal(self)
    }
    for row in diagram.results {
      guard let signal = signals[row.label] else { continue }
      if row.start == 0 {
        watches.append((row, stage.watch(signal)))
      } else {
        stage.at(row.start) { watches.append((row, self.stage.watch(signal))) }
      }
    }
    stage.time.advance(by: Double(diagram.lastSecond))
    for (row, watch) in watches {
      let drawn = watch.drawn.dropFirst(min(row.start, watch.drawn.count))
      #expect(drawn == row.events, "'\(row.label)' in \(diagram)")
      watch.dispose()
    }
    for row in diagram.inputs {
      #expect(
        sources[row.label]?.lifetimes.first?.subscribed == row.start,
        "The subscription to '\(row.label)' in \(diagram)")
    }
    #expect(stage.time.pendingCount == 0, "Work is still scheduled after \(diagram).")
  }
}
