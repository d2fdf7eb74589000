import TerminalUI
import TraceAnalysis
import TraceFormat

/// The tracks of logs. Each track has a unique number, which is the same for every export of the
/// same logs.
struct PerfettoTracks {
  private let log: LogAnalysis
  private let numbers: ProcessNumbers

  init(_ log: LogAnalysis) {
    self.log = log
    numbers = ProcessNumbers(log)
  }

  // Small numbers take fewer bytes, and every event contains the number of its track. 0 is not a
  // track.
  func process(_ log: Int) -> UInt64 { UInt64(log + 1) }
  func scope(_ index: Int) -> UInt64 { UInt64(log.logs.count + index + 1) }
  func subscription(_ index: Int) -> UInt64 {
    UInt64(log.logs.count + log.scopes.count + index + 1)
  }

  func writeProcess(_ number: Int, to packet: inout ProtobufWriter) {
    packet.message(PerfettoField.Packet.trackDescriptor) {
      $0.varint(PerfettoField.Track.uuid, process(number))
      $0.message(PerfettoField.Track.process) {
        let header = log.logs[number].header
        $0.varint(PerfettoField.Process.pid, UInt64(numbers[number]))
        $0.string(
          PerfettoField.Process.name, header?.process ?? log.logs[number].names.first ?? "?")
        if let host = header?.host { $0.string(PerfettoField.Process.labels, host) }
      }
      $0.varint(PerfettoField.Track.childOrdering, PerfettoValue.chronological)
    }
  }

  func writeScope(_ index: Int, to packet: inout ProtobufWriter) {
    write(scope(index), "scopes", log.scopes[index].log, to: &packet)
  }

  func writeSubscription(_ index: Int, to packet: inout ProtobufWriter) {
    let lifecycle = log.lifecycles[index]
    write(subscription(index), lifecycle.site.lane, Int(lifecycle.log), to: &packet)
  }

  /// Writes the descriptor of a track. Perfetto shows the tracks of one process with the same name
  /// as one, with overlapping slices below each other.
  private func write(
    _ uuid: UInt64, _ name: String, _ log: Int, to packet: inout ProtobufWriter
  ) {
    packet.message(PerfettoField.Packet.trackDescriptor) {
      $0.varint(PerfettoField.Track.uuid, uuid)
      $0.varint(PerfettoField.Track.parentUUID, process(log))
      $0.string(PerfettoField.Track.name, name)
      $0.varint(PerfettoField.Track.siblingMergeBehavior, PerfettoValue.mergeByName)
    }
  }
}
