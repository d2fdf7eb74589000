package import ReactiveKit

/// An event and the second of virtual time at which it arrived.
package struct TimedEvent: Equatable {
  package typealias Event = Signal<String, TestError>.Event

  package let time: Int
  package let event: Event

  package init(_ time: Int, _ event: Event) {
    self.time = time
    self.event = event
  }
}

/// Events over time as text. One character is one second.
///
///     -      time passes
///     1 a    an element
///     [12]   one element that is written with several characters
///     |      completed
///     !      failed
///     (ab|)  several events at one instant; a group takes one second, like any other
///
/// A string that does not end with `|` or `!` has no trailing `-`.
package enum Marbles {
  /// Returns the events of a string, in order.
  package static func parse(_ text: String) -> [TimedEvent] {
    var events: [TimedEvent] = []
    var time = 0
    var isInGroup = false
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "(": isInGroup = true
      case ")":
        isInGroup = false
        time += 1
      case "-": time += 1
      default:
        events.append(TimedEvent(time, event(character, &rest)))
        if !isInGroup { time += 1 }
      }
    }
    return events
  }

  private static func event(_ character: Character, _ rest: inout Substring) -> TimedEvent.Event {
    switch character {
    case "|": return .completed
    case "!": return .failed(TestError())
    case "[":
      let element = rest.prefix { $0 != "]" }
      rest = rest.dropFirst(element.count + 1)
      return .next(String(element))
    default: return .next(String(character))
    }
  }

  /// Returns the text for events that are sorted by time.
  package static func draw(_ events: [TimedEvent]) -> String {
    var text = ""
    var time = 0
    var rest = events[...]
    while let first = rest.first {
      let instant = rest.prefix { $0.time == first.time }
      rest = rest.dropFirst(instant.count)
      text += String(repeating: "-", count: max(0, first.time - time))
      let symbols = instant.map { symbol($0.event) }
      text += symbols.count == 1 ? symbols[0] : "(\(symbols.joined()))"
      time = first.time + 1
    }
    return text
  }

  private static func symbol(_ event: TimedEvent.Event) -> String {
    switch event {
    case .next(let element): element.count == 1 ? element : "[\(element)]"
    case .failed: "!"
    case .completed: "|"
    }
  }
}
