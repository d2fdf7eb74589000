import TerminalUI
import TraceAnalysis
import TraceFormat

/// A writer for packets: a sequence for each log, whose first packet defines the constant interned
/// names.
struct PerfettoWriter {
  private let log: LogAnalysis
  private let output: Output
  private var bytes = ProtobufWriter()
  private var names: [PerfettoNames]

  /// The number of bytes that are collected before they go to the output.
  private static let pieceSize = 1 << 16

  init(_ log: LogAnalysis, _ output: Output) {
    self.log = log
    self.output = output
    names = Array(repeating: PerfettoNames(), count: log.logs.count)
  }

  /// Writes the first packet of a log.
  mutating func begin(_ log: Int, _ body: (inout ProtobufWriter) -> Void) {
    packet(log, flags: PerfettoValue.stateCleared) {
      $0.bool(PerfettoField.Packet.firstPacketOnSequence, true)
      $0.message(PerfettoField.Packet.internedData) { PerfettoNames.writeConstants(to: &$0) }
      body(&$0)
    }
  }

  mutating func packet(
    _ log: Int, flags: UInt64? = nil, _ body: (inout ProtobufWriter) -> Void
  ) {
    bytes.message(PerfettoField.Trace.packet) {
      $0.varint(PerfettoField.Packet.trustedPacketSequenceID, UInt64(log + 1))
      if let flags { $0.varint(PerfettoField.Packet.sequenceFlags, flags) }
      body(&$0)
    }
    if bytes.bytes.count >= Self.pieceSize { flush() }
  }

  /// Writes an event on a track.
  ///
  /// - Parameters:
  ///   - site: The site that supplies the name and the source location of the event.
  ///   - thread: The thread of the event.
  mutating func event(
    _ number: Int, _ time: Nanoseconds, _ type: UInt64, _ track: UInt64, site: Site? = nil,
    thread: UInt64? = nil, _ body: (inout ProtobufWriter) -> Void
  ) {
    let lane = site.map { site in
      let (name, isNew) = names[number].lane(site)
      return (site: site, number: name, isNew: isNew)
    }
    var threadName: (text: String, number: UInt64, isNew: Bool)?
    if let thread, let text = log.logs[number].threads[thread] {
      let (name, isNew) = names[number].name(ofThread: thread)
      threadName = (text, name, isNew)
    }
    packet(number, flags: PerfettoValue.needsState) { packet in
      packet.varint(PerfettoField.Packet.timestamp, time.count)
      if lane?.isNew == true || threadName?.isNew == true {
        packet.message(PerfettoField.Packet.internedData) { data in
          if let lane, lane.isNew { PerfettoNames.write(lane.site, lane.number, to: &data) }
          if let threadName, threadName.isNew {
            PerfettoNames.write(threadName: threadName.text, threadName.number, to: &data)
          }
        }
      }
      packet.message(PerfettoField.Packet.trackEvent) {
        $0.varint(PerfettoField.Event.type, type)
        $0.varint(PerfettoField.Event.trackUUID, track)
        if let lane { $0.name(lane: lane.number, lane.site) }
        if let thread { $0.annotate(thread: thread, name: threadName?.number) }
        body(&$0)
      }
    }
  }

  mutating func flush() {
    output.write(bytes.bytes)
    bytes.removeBytes()
  }
}
