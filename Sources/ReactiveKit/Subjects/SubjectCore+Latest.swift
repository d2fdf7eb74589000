/// Support for properties: the element that was sent last, even if it still waits for delivery.
extension SubjectCore {
  @inlinable
  var latest: Element? {
    state.withLock { _ in memory.address.pointee.latest }
  }

  /// Replaces the latest element without notifying the observers.
  @inlinable
  func setLatest(_ element: Element) {
    let outdated = state.withLock { _ in
      let memory = memory.address
      let outdated = (memory.pointee.latest, memory.pointee.replay.append(element))
      memory.pointee.latest = element
      memory.pointee.isLatestSilent = true
      return outdated
    }
    withExtendedLifetime(outdated) {}
  }

  /// Notes an element that will arrive here through another subject.
  @inlinable
  func setLatestAhead(_ element: Element) {
    let outdated = state.withLock { _ in
      let memory = memory.address
      let outdated = memory.pointee.latest
      memory.pointee.latest = element
      memory.pointee.isLatestSilent = false
      return outdated
    }
    withExtendedLifetime(outdated) {}
  }
}
