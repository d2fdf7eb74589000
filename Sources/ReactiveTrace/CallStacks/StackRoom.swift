import TraceShims

/// How much of its stack the calling thread has left.
enum StackRoom {
  /// In bytes; nil on a stack that is not the thread's own, as that of a signal handler may be, and where the system does not
  /// tell.
  @inline(never)
  static var left: Int? {
    var (start, end): (UInt, UInt) = (0, 0)
    trace_stack_limits(&start, &end)
    let frame = UInt(bitPattern: trace_frame_address())
    return frame >= start && frame < end ? Int(clamping: frame - start) : nil
  }
}
