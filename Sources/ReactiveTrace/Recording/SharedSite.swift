package import TraceFormat

/// A site and the type of its elements, shared by all subscriptions made there, with the common
/// parts of their records.
@usableFromInline
package final class SharedSite: Sendable {
  package let lane: String
  package let `operator`: LogFormat.Operator
  package let library: LogFormat.StreamLibrary?
  /// The source location, such as `Module/File.swift:42`, or nil if only `place` identifies it.
  package let source: String?
  package let function: String?
  let place: PlaceNumber?
  let type: String
  private let encoded: Encoded?

  /// The parts of records, such as `,"lane":"search"` and `,"op":"lane","source":"Shop.swift:42"`.
  private struct Encoded {
    let lane: EncodedPart
    let details: EncodedPart
  }

  /// Creates a site. Encoding the parts of records in advance pays off if the site has many
  /// subscriptions.
  package init(_ site: TraceSite, type: String, encodesParts: Bool = false) {
    lane = site.lane
    `operator` = site.operator
    library = site.library
    source = site.source
    function = site.function
    place = site.place
    self.type = type
    guard encodesParts else {
      encoded = nil
      return
    }
    var line = LineBuffer()
    defer { line.deallocate() }
    encoded = Encoded(
      lane: line.encode { $0.text(.lane, site.lane) },
      details: line.encode {
        Self.encodeDetails(&$0, site.operator, site.library, site.source, site.function, type)
      })
  }

  /// Appends the name of the lane.
  func encodeLane(_ line: inout LineBuffer) {
    if let encoded { line.part(encoded.lane) } else { line.text(.lane, lane) }
  }

  /// Appends the fields of a `subscribe` record that describe the site.
  func encodeDetails(_ line: inout LineBuffer) {
    if let encoded {
      line.part(encoded.details)
    } else {
      Self.encodeDetails(&line, `operator`, library, source, function, type)
    }
  }

  private static func encodeDetails(
    _ line: inout LineBuffer, _ operator: LogFormat.Operator, _ library: LogFormat.StreamLibrary?,
    _ source: String?, _ function: String?, _ type: String
  ) {
    line.text(.op, `operator`.rawValue)
    if let library { line.text(.library, library.rawValue) }
    if let source { line.text(.source, source) }
    if let function { line.text(.function, function) }
    line.text(.type, type)
  }
}
