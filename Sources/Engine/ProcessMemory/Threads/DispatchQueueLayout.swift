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

  /// The symbol of the numbers of processors, and the offset of the number of those that the
  /// process may use, in four bytes (`src/shims/hw_config.h`).
  package static let processors = "_dispatch_hw_config"
  package static let activeProcessors: UInt = 8
}

/// The layout of an item of libdispatch, which has work that waits (`DISPATCH_CONTINUATION_HEADER`
/// in `src/queue_internal.h`). Offsets and sizes are in bytes.
package enum DispatchItemLayout {
  /// The number of items in the list that an unused item begins, in four bytes. Only unused items
  /// have it, instead of a priority.
  package static let cacheCount: UInt = 8
  package static let next: UInt = 16
  /// The size of an item, in bytes.
  package static let size: UInt = 64
  /// The usable sizes of the block of an item. glibc doesn't split a block if fewer than 32 bytes
  /// would be left.
  package static let blockSizes: Set<Int> = [72, 88]
  /// The maximum number of items in a cache.
  package static let maxCached = 4096
}

/// The layout of the variables that libdispatch has for each thread (`struct dispatch_tsd` in
/// `src/shims/tsd.h`). Offsets are in bytes. The number of the thread is at the start, in four
/// bytes.
package enum DispatchThreadLayout {
  /// The first of the unused items, or 0.
  package static let cache: UInt = 24
}
