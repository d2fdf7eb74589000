import ReactiveTrace

extension LogError {
  /// The error in one line for the status bar. It names the file without its folders, which would leave no room for the
  /// sentence.
  var notice: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return "\(name): \(sentence)"
  }
}
