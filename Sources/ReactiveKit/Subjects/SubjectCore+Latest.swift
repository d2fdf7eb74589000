/// What properties need: the element that was sent last, also where it still waits to be delivered.
extension SubjectCore {
  @inlinable
  var latest: Element? {
    state.withLock { _ in memory.address.pointee.latest }
  }

  /// Replaces the latest element without telling the observers.
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

  /// Notes an element that is on its way here through another subject.
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
