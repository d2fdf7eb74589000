import CRuntime.OwnProcess

/// The unused part of the calling thread's stack. While the thread uses the spare stack, this
/// describes the thread's original stack. See `trace_with_stack`.
package enum StackRoom {
  /// The unused space in bytes. The value is nil if the thread runs on another stack, as in some
  /// signal handlers, or if the system doesn't report the limits.
  @inline(never)
  package static var left: Int? {
    let room = trace_stack_room()
    return room < 0 ? nil : room
  }
}
