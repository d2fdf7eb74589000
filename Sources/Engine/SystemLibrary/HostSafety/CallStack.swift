import CRuntime.OwnProcess

/// The return addresses of the innermost calls of a thread, which distinguish one observing
/// location from another.
///
/// The addresses are found through the frame pointers that Swift code maintains, which takes about
/// 2 nanoseconds per call. If a function doesn't have a frame pointer (C code built without them),
/// the stack ends early.
package struct CallStack: Hashable, Sendable {
  fileprivate static let depth = 24
  package private(set) var addresses: [UInt]
  /// The number of innermost calls that are in this package.
  package let ownCalls: Int

  package init(addresses: [UInt], ownCalls: Int = 2) {
    self.addresses = addresses
    self.ownCalls = ownCalls
  }

  /// Creates the stack of the calls that a walk visits.
  @inline(never)
  package init(_ walk: FrameWalk) {
    ownCalls = 2
    addresses = []
    addresses.reserveCapacity(Self.depth)
    var walk = walk
    while let address = walk.next() { addresses.append(address) }
  }

  @inline(never)
  static func current() -> CallStack {
    CallStack(FrameWalk(from: UInt(bitPattern: trace_frame_address())))
  }
}

/// A walk over the frames of a thread, from the innermost one outward. It doesn't allocate.
package struct FrameWalk {
  private var frame: UInt
  private let start: UInt
  private let end: UInt
  private var left = CallStack.depth

  /// Creates a walk that begins at a frame of the calling thread. The function with that frame must
  /// not return before the walk ends.
  @inline(__always)
  package init(from frame: UInt) {
    self.frame = frame
    var (start, end): (UInt, UInt) = (0, 0)
    trace_stack_limits(&start, &end)
    (self.start, self.end) = (start, end)
  }

  /// Returns the return address of the next frame, or nil after the last one.
  @inline(__always)
  package mutating func next() -> UInt? {
    guard left > 0, frame >= start, frame &+ 16 <= end, frame % 8 == 0,
      let memory = UnsafePointer<UInt>(bitPattern: frame)
    else { return nil }
    let (next, address) = (memory[0], memory[1])
    guard address > 4096 else { return nil }
    left &-= 1
    // Address 0 isn't on the stack, so it ends the walk.
    frame = next > frame ? next : 0
    return address
  }
}
