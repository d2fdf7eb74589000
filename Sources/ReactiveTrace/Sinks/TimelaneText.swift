import TraceFormat

/// A message to the Timelane instrument, protocol version 2, which is the text of a signpost.
///
/// The instrument splits a string at `###`, so a value must not contain it. The protocol comes from
/// the messages that the instrument's own library sends (github.com/icanzilb/TimelaneCore).
struct TimelaneText: Equatable, Sendable {
  /// The type of a signpost.
  enum Kind: Equatable, Sendable {
    case begin, end, event
  }

  static let subsystem = "tools.timelane.subscriptions"
  static let category = "DynamicStackTracing"
  static let signpostName: StaticString = "subscriptions"
  /// The message that is sent once, before the first subscription.
  static let version = TimelaneText(kind: .event, subscription: nil, text: "version:2")

  let kind: Kind
  /// The number that connects a begin with its end.
  let subscription: Int?
  let text: String

  private init(kind: Kind, subscription: Int?, text: String) {
    self.kind = kind
    self.subscription = subscription
    self.text = text
  }

  /// Returns the signposts of a record, in the order in which they are sent. The result is empty
  /// for a record that the instrument doesn't support. `source` is the source location from the
  /// `subscribe` record of the subscription.
  static func texts(of record: Trace.Record, source: String) -> [TimelaneText] {
    guard let id = record.subscription, let lane = record.lane.map(harmless) else { return [] }
    let source = harmless(source)
    func event(_ type: String, _ value: String) -> TimelaneText {
      TimelaneText(
        kind: .event, subscription: id,
        text: "subscription:\(lane)###type:\(type)###value:\(harmless(value))"
          + "###source:\(source)###id:\(id)")
    }
    func end(_ completion: Int, _ error: String = "") -> TimelaneText {
      TimelaneText(
        kind: .end, subscription: id,
        text: "completion:\(completion)###error:\(harmless(error))")
    }
    switch record.event {
    case .subscribe:
      return [
        TimelaneText(
          kind: .begin, subscription: id,
          text: "subscribe:\(lane)###source:\(source)###id:\(id)")
      ]
    case .next: return [event("Output", record.value ?? "")]
    case .completed: return [event("Completed", ""), end(3)]
    case .failed:
      return [event("Error", record.error ?? ""), end(2, record.error ?? "")]
    case .disposed, .released: return [event("Cancelled", ""), end(1)]
    default: return []
    }
  }

  /// Returns the text with a zero-width space inside every `###`.
  static func harmless(_ text: String) -> String {
    guard text.contains("##") else { return text }
    var result = ""
    var signs = 0
    for scalar in text.unicodeScalars {
      signs = scalar == "#" ? signs + 1 : 0
      if signs == 3 {
        result.unicodeScalars.append("\u{200B}")
        signs = 1
      }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
