package import TraceFormat

/// A key and the punctuation around it, such as `,"value":`. Each key is encoded once per process.
package struct EncodedKey: Sendable {
  package let bytes: [UInt8]

  package init(_ key: LogFormat.Key) {
    bytes = Array(",\"\(key.rawValue)\":".utf8)
  }

  package static let openingBytes = Array("{\"\(LogFormat.Key.t.rawValue)\":".utf8)

  package static let sub = EncodedKey(.sub)
  package static let lane = EncodedKey(.lane)
  package static let value = EncodedKey(.value)
  package static let truncated = EncodedKey(.truncated)
  package static let error = EncodedKey(.error)
  package static let thread = EncodedKey(.thread)
  package static let op = EncodedKey(.op)
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
      sub, lane, value, truncated, error, thread, op, source, function, type, parent, cause, scope,
      outer, observed, frames, lifetime, name, on, segment, records, lost, count, reason,
      kind, proof, tail, breakIndex, steps, owner, searched, shared, task,
      priority, state, wait, pause, awaits, canceled, reach, calls, members,
    ]
    _ = openingBytes
  }
}

/// An event and its key, such as `,"event":"next"`. Each event is encoded once per process.
package struct EncodedEvent: Sendable {
  package let bytes: [UInt8]
  package let nameLength: Int

  package init(_ event: LogFormat.Event) {
    bytes = Array(",\"\(LogFormat.Key.event.rawValue)\":\"\(event.rawValue)\"".utf8)
    nameLength = event.rawValue.utf8.count
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

/// Fields that are encoded separately from a line, such as `,"sub":1,"lane":"search.results"`. See
/// `ElementLineTemplate`.
package struct EncodedPart: Sendable {
  package let bytes: [UInt8]
  package let fields: [LineBuffer.Field]
}
