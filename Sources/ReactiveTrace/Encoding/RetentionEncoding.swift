package import TraceFormat

extension Retention {
  /// The maximum number of bytes of a string. Names of generic types can be very long.
  private static let maxBytes = 512

  /// Appends the fields of the record `retained` to a line.
  package func encode(_ line: inout LineBuffer) {
    line.text(.kind, kind.rawValue)
    let whole = shortened(max: Self.maxSteps)
    if !whole.steps.isEmpty {
      let proof: LogFormat.RetentionProof = isProbable ? .probable : .certain
      line.text(.proof, proof.rawValue)
      line.objects(.steps, whole.steps.map { $0.members.map(Self.cut) })
      if whole.tail > 0 { line.integer(.tail, whole.tail) }
      if let breakIndex = whole.breakIndex { line.integer(.breakIndex, breakIndex) }
    }
    if let owner { line.text(.owner, owner.rawValue) }
    if case .searched(let bytes)? = limit { line.integer(.searched, bytes) }
    if let reason = limit?.reason { line.text(.reason, reason) }
  }

  /// Returns a member with its text, or the beginning of the text if it is too long.
  private static func cut(_ member: RecordObject.Element) -> RecordObject.Element {
    guard case .text(let text) = member.value, text.utf8.count > maxBytes else { return member }
    var end = 0
    let beginning = text.unicodeScalars.prefix { scalar in
      end += UTF8.width(scalar)
      return end <= maxBytes - 3
    }
    return (member.key, .text(String(beginning) + "..."))
  }
}
