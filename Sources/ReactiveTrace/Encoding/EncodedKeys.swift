package import TraceFormat

/// A key and the punctuation around it, such as `,"value":`. Each key is encoded once per process,
/// as words that a line gets with one store.
package struct EncodedKey: Sendable {
  let low: UInt64
  let high: UInt64
  let count: Int

  package init(_ key: LogFormat.Key) {
    let words = PackedText(",\"\(key.rawValue)\":", maxCount: 16)
    (low, high, count) = (words[0], words[1], words.count)
  }

  package static let sub = EncodedKey(.sub)
  package static let lane = EncodedKey(.lane)
  package static let value = EncodedKey(.value)
  package static let truncated = EncodedKey(.truncated)
  package static let error = EncodedKey(.error)
  package static let thread = EncodedKey(.thread)
  package static let op = EncodedKey(.op)
  package static let library = EncodedKey(.library)
  package static let source = EncodedKey(.source)
  package static let function = EncodedKey(.function)
  package static let type = EncodedKey(.type)
  package static let parent = EncodedKey(.parent)
  package static let cause = EncodedKey(.cause)
  package static let scope = EncodedKey(.scope)
  package static let outer = EncodedKey(.outer)
  package static let observed = EncodedKey(.observed)
  package static let frames = EncodedKey(.frames)
  package static let lifetime = EncodedKey(.lifetime)
  package static let name = EncodedKey(.name)
  package static let on = EncodedKey(.on)
  package static let segment = EncodedKey(.segment)
  package static let records = EncodedKey(.records)
  package static let lost = EncodedKey(.lost)
  package static let count = EncodedKey(.count)
  package static let reason = EncodedKey(.reason)
  package static let kind = EncodedKey(.kind)
  package static let proof = EncodedKey(.proof)
  package static let tail = EncodedKey(.tail)
  package static let breakIndex = EncodedKey(.breakIndex)
  package static let steps = EncodedKey(.steps)
  package static let owner = EncodedKey(.owner)
  package static let searched = EncodedKey(.searched)
  package static let shared = EncodedKey(.shared)
  package static let twin = EncodedKey(.twin)
  package static let task = EncodedKey(.task)
  package static let priority = EncodedKey(.priority)
  package static let state = EncodedKey(.state)
  package static let wait = EncodedKey(.wait)
  package static let pause = EncodedKey(.pause)
  package static let awaits = EncodedKey(.awaits)
  package static let canceled = EncodedKey(.canceled)
  package static let reach = EncodedKey(.reach)
  package static let calls = EncodedKey(.calls)
  package static let members = EncodedKey(.members)

  /// Encodes all keys. See `WarmUp`.
  static func prepare() {
    _ = [
      sub, lane, value, truncated, error, thread, op, library, source, function, type, parent,
      cause,
      scope, outer, observed, frames, lifetime, name, on, segment, records, lost, count, reason,
      kind, proof, tail, breakIndex, steps, owner, searched, shared, twin, task,
      priority, state, wait, pause, awaits, canceled, reach, calls, members,
    ]
  }
}

/// An event and its key, such as `,"event":"next"`, with `-` instead of the first letter of its
/// name. Each event is encoded once per process.
package struct EncodedEvent: Sendable {
  let words: (UInt64, UInt64, UInt64)
  let count: Int
  /// The first letter of the name.
  let letter: UInt8
  /// The offset of the name, which follows `,"event":"`. It is computed, because every record would
  /// have to check whether a stored property is initialized.
  static var nameOffset: Int { 10 }

  package init(_ event: LogFormat.Event) {
    let name = event.rawValue
    let encoded = PackedText(
      ",\"\(LogFormat.Key.event.rawValue)\":\"-\(name.dropFirst())\"", maxCount: 24)
    words = (encoded[0], encoded[1], encoded[2])
    count = encoded.count
    letter = name.utf8.first ?? LineBuffer.unfinished
  }

  package static let subscribe = EncodedEvent(.subscribe)
  package static let next = EncodedEvent(.next)
  package static let completed = EncodedEvent(.completed)
  package static let failed = EncodedEvent(.failed)
  package static let disposed = EncodedEvent(.disposed)
  package static let released = EncodedEvent(.released)
  package static let breakpoint = EncodedEvent(.breakpoint)
  package static let alive = EncodedEvent(.alive)
  package static let thread = EncodedEvent(.thread)
  package static let continued = EncodedEvent(.continued)
  package static let lost = EncodedEvent(.lost)
  package static let retained = EncodedEvent(.retained)
  package static let changed = EncodedEvent(.changed)
  package static let task = EncodedEvent(.task)
  package static let suspended = EncodedEvent(.suspended)
  package static let resumed = EncodedEvent(.resumed)
  package static let object = EncodedEvent(.object)
  package static let instances = EncodedEvent(.instances)
  package static let end = EncodedEvent(.end)

  /// Encodes all events. See `WarmUp`.
  static func prepare() {
    _ = [
      subscribe, next, completed, failed, disposed, released, breakpoint, alive, thread, continued,
      lost, retained, changed, task, suspended, resumed, object,
      instances, end,
    ]
  }
}

/// Short ASCII text, packed into integers of 8 bytes and padded with zeros.
private struct PackedText {
  private var words: [UInt64]
  let count: Int

  init(_ text: String, maxCount: Int) {
    precondition(text.utf8.count <= maxCount, "a word of the log format is too long")
    count = text.utf8.count
    words = Array(repeating: 0, count: maxCount / 8)
    for (index, byte) in text.utf8.enumerated() {
      words[index / 8] |= UInt64(byte) << UInt64(8 * (index % 8))
    }
  }

  subscript(index: Int) -> UInt64 { words[index] }
}

/// Fields that are encoded separately from a line, such as `,"sub":1,"lane":"search.results"`. See
/// `ElementLineTemplate`.
package struct EncodedPart: Sendable {
  package let bytes: [UInt8]
  package let fields: [LineBuffer.Field]
}
