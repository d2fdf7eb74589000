import TraceAnalysis

extension LogError {
  /// Says it in the one line that the status has: by the name of the file alone, because its folders would take the room of
  /// the sentence.
  var notice: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return "\(name): \(sentence)"
  }
}
