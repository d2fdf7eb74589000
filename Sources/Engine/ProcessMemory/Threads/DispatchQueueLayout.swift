/// The layout of a queue of libdispatch (`DISPATCH_QUEUE_CLASS_HEADER` and
/// `DISPATCH_LANE_CLASS_HEADER` in `src/queue_internal.h`). Offsets are in bytes.
package enum DispatchQueueLayout {
  /// The state of the queue, in eight bytes. The lower half has the number of the thread on it.
  package static let state: UInt = 56
  package static let label: UInt = 72
}
