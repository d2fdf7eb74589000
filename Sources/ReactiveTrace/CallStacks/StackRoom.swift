import TraceShims

/// The unused part of the calling thread's stack.
enum StackRoom {
  /// The unused space in bytes. The value is nil if the stack is not the thread's own, as in some
  /// signal handlers, or if the system does not report the limits.
  @inline(never)
  static var left: Int? {
    var (start, end): (UInt, UInt) = (0, 0)
    trace_stack_limits(&start, &end)
    let frame = UInt(bitPattern: trace_frame_address())
    return frame >= start && frame < end ? Int(clamping: frame - start) : nil
  }
}
