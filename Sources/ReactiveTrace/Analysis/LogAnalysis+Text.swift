extension LogAnalysis {
  /// The text of the last thing that happened to a subscription, read again from where it stands in the log: the
  /// element of a `next`, the error of a `failed`.
  package static func lastText(of lifecycle: Lifecycle, in file: borrowing LogSource) -> String? {
    var parser = RecordParser()
    return file.bytes(at: lifecycle.last.place).withUnsafeBufferPointer { line in
      guard let record = try? parser.parse(line) else { return nil }
      switch record.body {
      case .next(let moment), .failed(let moment), .breakpoint(let moment):
        return moment.id == lifecycle.id ? moment.text?.string : nil
      default:
        return nil
      }
    }
  }
}
