/// A parsed Perfetto trace with its tracks and events. References to interned strings are resolved.
package struct PerfettoTrace {
  package struct Track: Equatable {
    package var name: String?
    package var parent: UInt64?
    package var process: String?
    package var pid: UInt64?

    package init(
      name: String? = nil, parent: UInt64? = nil, process: String? = nil, pid: UInt64? = nil
    ) {
      self.name = name
      self.parent = parent
      self.process = process
      self.pid = pid
    }
  }

  package struct Event: Equatable {
    package var time: UInt64
    package var type: String
    package var track: UInt64
    package var name: String
    package var annotations: [String: String] = [:]
    package var source: String?
    package var flows: [UInt64] = []
    package var endingFlows: [UInt64] = []

    package init(
      time: UInt64, type: String, track: UInt64, name: String, annotations: [String: String] = [:],
      source: String? = nil, flows: [UInt64] = [], endingFlows: [UInt64] = []
    ) {
      self.time = time
      self.type = type
      self.track = track
      self.name = name
      self.annotations = annotations
      self.source = source
      self.flows = flows
      self.endingFlows = endingFlows
    }
  }

  package private(set) var tracks: [UInt64: Track] = [:]
  package private(set) var events: [Event] = []
  /// The faults that would cause problems for a reader.
  package private(set) var faults: [String] = []

  private struct Sequence {
    package var names: [UInt64: String] = [:]
    package var annotations: [UInt64: String] = [:]
    package var strings: [UInt64: String] = [:]
    package var sources: [UInt64: String] = [:]
  }

  private var sequences: [UInt64: Sequence] = [:]

  package init?(_ bytes: [UInt8]) {
    guard let trace = ProtobufReader(bytes) else { return nil }
    for packet in trace.messages(1) { read(packet) }
  }

  package func events(named name: String) -> [Event] {
    events.filter { $0.name == name }
  }

  private mutating func read(_ packet: ProtobufReader) {
    let number = packet.number(10) ?? 0
    if number == 0 { faults.append("a packet of no sequence") }
    let flags = packet.number(13) ?? 0
    if sequences[number] == nil, flags & 1 == 0 { faults.append("a sequence that never began") }
    if flags & 1 == 1 { sequences[number] = Sequence() }
    var sequence = sequences[number] ?? Sequence()
    for data in packet.messages(12) { intern(data, &sequence) }
    sequences[number] = sequence
    if let track = packet.message(60) { read(track: track) }
    if let event = packet.message(11) {
      if flags & 2 == 0 { faults.append("an event whose names may be dropped") }
      events.append(read(event, packet.number(8), sequence))
    }
  }

  private mutating func intern(_ data: ProtobufReader, _ sequence: inout Sequence) {
    for entry in data.messages(2) { sequence.names[entry.number(1) ?? 0] = entry.text(2) }
    for entry in data.messages(3) { sequence.annotations[entry.number(1) ?? 0] = entry.text(2) }
    for entry in data.messages(29) { sequence.strings[entry.number(1) ?? 0] = entry.text(2) }
    for entry in data.messages(4) {
      sequence.sources[entry.number(1) ?? 0] =
        "\(entry.text(2) ?? ""):\(entry.number(4) ?? 0) \(entry.text(3) ?? "")"
    }
  }

  private mutating func read(track: ProtobufReader) {
    let uuid = track.number(1) ?? 0
    if uuid == 0 || tracks[uuid] != nil { faults.append("track \(uuid) again") }
    let process = track.message(3)
    tracks[uuid] = Track(
      name: track.text(2), parent: track.number(5), process: process?.text(6),
      pid: process?.number(1))
  }

  /// Reads an annotation with the keys that the trace processor gives its parts, such as
  /// `findings[0].rule`.
  private func read(
    _ annotation: ProtobufReader, _ key: String, _ sequence: Sequence,
    into values: inout [String: String]
  ) {
    let members = annotation.messages(11)
    let elements = annotation.messages(12)
    for member in members {
      let name = sequence.annotations[member.number(1) ?? 0] ?? "?"
      read(member, "\(key).\(name)", sequence, into: &values)
    }
    for (index, element) in elements.enumerated() {
      read(element, "\(key)[\(index)]", sequence, into: &values)
    }
    guard members.isEmpty, elements.isEmpty else { return }
    values[key] =
      annotation.text(6) ?? annotation.number(3).map(String.init)
      ?? annotation.number(17).flatMap { sequence.strings[$0] } ?? "?"
  }

  private mutating func read(
    _ event: ProtobufReader, _ time: UInt64?, _ sequence: Sequence
  ) -> Event {
    let track = event.number(11) ?? 0
    if tracks[track] == nil { faults.append("an event on the unknown track \(track)") }
    let name = event.number(10).map { sequence.names[$0] ?? "?" } ?? event.text(23) ?? ""
    let types: [UInt64: String] = [1: "begin", 2: "end", 3: "instant"]
    var result = Event(
      time: time ?? 0, type: types[event.number(9) ?? 0] ?? "?", track: track, name: name)
    for annotation in event.messages(4) {
      let key = sequence.annotations[annotation.number(1) ?? 0] ?? "?"
      read(annotation, key, sequence, into: &result.annotations)
    }
    result.source = event.number(34).map { sequence.sources[$0] ?? "?" }
    result.flows = event.numbers(47)
    result.endingFlows = event.numbers(48)
    return result
  }
}
