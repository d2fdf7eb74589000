import TraceAnalysis

extension LogError {
  /// The error as text for the one-line status. It contains only the name of the file, because the
  /// folders would take up the room of the sentence.
  var notice: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return "\(name): \(sentence)"
  }
}
