extension Retention.Sentences {
  /// The advice in a log that an earlier version wrote. That version put a capture list in
  /// brackets.
  var remedy: Retention.Remedy? {
    guard let advice else { return nil }
    guard let start = advice.firstIndex(of: "["),
      let end = advice[start...].firstIndex(of: "]")
    else { return Retention.Remedy(advice) }
    return Retention.Remedy(
      advice, captureList: String(advice[start...end]),
      isOnlyCaptureList: advice[end...].dropFirst().allSatisfy { $0 == "." })
  }
}
