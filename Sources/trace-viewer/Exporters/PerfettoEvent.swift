import TerminalUI
import TraceAnalysis
import TraceFormat

// The contents of a Perfetto event whose message is being written.
extension ProtobufWriter {
  mutating func category(_ name: String) {
    if let number = PerfettoNames.category(name) {
      varint(PerfettoField.Event.categoryIIDs, number)
    }
  }

  /// Writes a name from the table of interned names.
  mutating func name(_ event: PerfettoNames.Event) {
    varint(PerfettoField.Event.nameIID, event.rawValue)
  }

  /// Writes a user-defined name that no other event shares.
  mutating func name(_ text: String) {
    string(PerfettoField.Event.name, text)
  }

  /// Writes the name of a lane with its source location and the operator that traces it.
  mutating func name(lane number: UInt64, _ site: Site) {
    varint(PerfettoField.Event.nameIID, PerfettoNames.eventName(lane: number))
    if site.source != nil { varint(PerfettoField.Event.sourceLocationIID, number) }
    if let op = site.op { category(op.rawValue) }
  }

  mutating func annotate(_ annotation: PerfettoNames.Annotation, _ text: String) {
    message(PerfettoField.Event.debugAnnotations) {
      $0.varint(PerfettoField.Annotation.nameIID, annotation.rawValue)
      $0.string(PerfettoField.Annotation.string, text)
    }
  }

  mutating func annotate(_ annotation: PerfettoNames.Annotation, _ number: UInt64) {
    message(PerfettoField.Event.debugAnnotations) {
      $0.varint(PerfettoField.Annotation.nameIID, annotation.rawValue)
      $0.varint(PerfettoField.Annotation.unsigned, number)
    }
  }

  /// Writes the number of a thread and the number of its interned name.
  mutating func annotate(thread: UInt64, name: UInt64?) {
    annotate(.thread, thread)
    guard let name else { return }
    message(PerfettoField.Event.debugAnnotations) {
      $0.varint(PerfettoField.Annotation.nameIID, PerfettoNames.Annotation.threadName.rawValue)
      $0.varint(PerfettoField.Annotation.stringIID, name)
    }
  }

  /// Begins an arrow that ends at the event with the same flow number.
  mutating func beginFlow(_ number: UInt64) {
    fixed64(PerfettoField.Event.flowIDs, number)
  }

  mutating func endFlow(_ number: UInt64) {
    fixed64(PerfettoField.Event.terminatingFlowIDs, number)
  }
}
