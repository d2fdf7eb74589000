/// The layout of a queue of libdispatch (`DISPATCH_QUEUE_CLASS_HEADER` and
/// `DISPATCH_LANE_CLASS_HEADER` in `src/queue_internal.h`). Offsets are in bytes.
package enum DispatchQueueLayout {
  /// The last item of the queue, or 0 if it is empty.
  package static let lastItem: UInt = 48
  /// The state of the queue, in eight bytes. The lower half has the number of the thread on it.
  package static let state: UInt = 56
  package static let label: UInt = 72

  /// The symbol of the global queues (`src/init.c`), their number, and the size of each.
  package static let globalQueues = "_dispatch_root_queues"
  package static let globalQueueCount: UInt = 12
  package static let globalQueueSize: UInt = 128
}
