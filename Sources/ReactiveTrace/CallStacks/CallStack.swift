import TraceShims

/// The return addresses of the innermost calls of a thread, which distinguish one observing
/// location from another.
///
/// The addresses come from the frame pointers that Swift code keeps, which takes some 2 nanoseconds
/// per call. If a function has no frame pointer (C code built without them), the stack ends early.
struct CallStack: Hashable, Sendable {
  private static let depth = 24
  private(set) var addresses: [UInt]

  @inline(never)
  static func current() -> CallStack {
    var addresses: [UInt] = []
    addresses.reserveCapacity(depth)
    var (start, end): (UInt, UInt) = (0, 0)
    trace_stack_limits(&start, &end)
    var frame = UInt(bitPattern: trace_frame_address())
    while addresses.count < depth, frame >= start, frame &+ 16 <= end, frame % 8 == 0,
      let memory = UnsafePointer<UInt>(bitPattern: frame)
    {
      let (next, address) = (memory[0], memory[1])
      guard address > 4096 else { break }
      addresses.append(address)
      guard next > frame else { break }
      frame = next
    }
    return CallStack(addresses: addresses)
  }

  /// The addresses as text, such as `0x1a2b3 0x1c4d5`. The text stays the same from run to run only
  /// if the program is always loaded at the same address.
  var text: String {
    addresses.map { "0x" + String($0, radix: 16) }.joined(separator: " ")
  }
}

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
