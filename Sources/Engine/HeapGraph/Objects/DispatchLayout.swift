import ProcessMemory

/// The fields of libdispatch's objects that retain something, with their offsets in bytes.
///
/// libdispatch doesn't describe its objects. So these numbers are used only after the main queue
/// was found to match them. If it doesn't match, for example in another version, libdispatch's
/// objects aren't recognized, and a path ends at the block that libdispatch retains.
///
/// The numbers are those of swift-corelibs-libdispatch for 64-bit systems without Objective-C.
package struct DispatchLayout {
  /// A kind of object, or of a part of an object that has its own allocation.
  package enum Kind: Equatable {
    case queue
    case group
    case source
    /// The event that a source waits for, with the source's handlers.
    case sourceState
    /// Work in a queue, a group or a source.
    case item
    /// The list of a queue's specific values.
    case values
    case value
  }

  // src/object_internal.h: _DISPATCH_OBJECT_HEADER
  static let referenceCount: UInt = 8
  static let next: UInt = 16
  static let targetQueue: UInt = 24

  // src/queue_internal.h: DISPATCH_QUEUE_CLASS_HEADER, DISPATCH_LANE_CLASS_HEADER
  static let serialNumber: UInt = 64
  /// The values of a queue, or the state of a source.
  static let valuesOrState: UInt = 88
  static let firstItem: UInt = 104
  static let queueSize = 120
  /// The bits of a queue's state that are set while the queue is suspended or not activated yet.
  static let suspension: UInt = 0xFF80_0000_0000_0000

  // src/semaphore_internal.h: struct dispatch_group_s
  static let firstNotification: UInt = 56
  static let groupSize = 72

  // src/event/event_internal.h: DISPATCH_UNOTE_CLASS_HEADER, DISPATCH_SOURCE_REFS_HEADER
  /// The inverted address of the source.
  static let owner: UInt = 8
  static let handlers: [UInt] = [40, 48, 56]
  static let sourceStateSize = 80
  /// The remainder of the address of a source's state, divided by the alignment of objects.
  static let sourceStateRemainder: UInt = 8
  /// The number of bytes before the state of a source that shares its event with other sources
  /// (struct dispatch_unote_linkage_s).
  static let linkageSize: UInt = 24
  /// The names of the types of sources (src/event/event.c).
  private static let sourceTypes: Set<String> = [
    "data-add", "data-or", "data-replace", "read", "write", "signal", "proc", "timer",
    "timer (fixed-clock)", "timer (after)", "timer (interval)", "vnode", "vfs", "memorystatus",
    "sock", "nw_channel",
  ]
  /// The type of a source that calls a block once, after a delay. Only libdispatch makes such
  /// sources.
  private static let laterType = "timer (after)"

  // src/queue_internal.h: DISPATCH_CONTINUATION_HEADER
  static let function: UInt = 32
  static let context: UInt = 40
  static let data: UInt = 48
  static let other: UInt = 56
  static let itemSize = 64
  private static let isAllocated: UInt = 0x100
  static let hasBlock: UInt = 0x10
  static let hasGroup: UInt = 0x08
  static let maxFlags: UInt = 0x400
  /// The maximum value of an item's first word that can be flags, and not the address of a table.
  static let lastFlags: UInt = 0xFFFF

  // src/queue_internal.h: struct dispatch_queue_specific_head_s, struct dispatch_queue_specific_s
  static let firstValue: UInt = 8
  static let valueContext: UInt = 8
  static let valueDestructor: UInt = 16
  static let nextValue: UInt = 24
  static let previousValue: UInt = 32
  static let valueSize = 40
  static let valuesSize = 24
  /// The sizes of blocks of the allocator that can contain a part of an object.
  static let partSizes = 24...256

  // src/queue_internal.h: DISPATCH_BLOCK_PRIVATE_DATA_HEADER
  /// The first captured value of a block that wraps another one for a work item.
  static let workItemMark: UInt = 0xD159_B10C
  static let workItemBlock: UInt = 72
  static let workItemGroup: UInt = 80

  // src/object_internal.h: DISPATCH_OBJECT_VTABLE_HEADER
  private static let type: UInt = 16
  private static let typeName: UInt = 24
  private static let invoke: UInt = 48
  private static let redirection: UInt = 0x0100

  // src/object_internal.h: dispatch_object_flags
  private static let typeMask: UInt = 0xFFFF
  private static let metaTypeMask: UInt = 0xFF
  private static let metaTypesOfQueues: ClosedRange<UInt> = 0x11...0x12
  private static let metaTypeOfSources: UInt = 0x13
  private static let typeOfGroups: UInt = 0x0201

  private let memory: ProcessMemory
  private let map: MemoryMap
  /// The address range of the library file that contains libdispatch.
  let image: Range<UInt>
  private let mainQueue: UInt

  /// The table that the first word of an object points to.
  private enum Table {
    case queue
    case group
    case source
    case item
    case sourceType(isLater: Bool)
  }
  private var tables: [UInt: Table?] = [:]

  /// Checks the layout against the main queue. Returns nil if libdispatch isn't linked, or if its
  /// main queue doesn't match.
  init?(mainQueue: UInt, _ memory: ProcessMemory, _ map: MemoryMap) {
    guard mainQueue != 0, let table = memory.word(mainQueue), let part = map.part(of: table),
      let path = part.path
    else { return nil }
    let parts = map.parts.filter { $0.path == path }
    image = (parts.map(\.start).min() ?? 0)..<(parts.map(\.end).max() ?? 0)
    self.mainQueue = mainQueue
    self.memory = memory
    self.map = map
    guard kind(at: mainQueue, first: table) == .queue,
      memory.word(mainQueue &+ Self.serialNumber) == 1,
      memory.word(mainQueue &+ DispatchQueueLayout.label).flatMap({ memory.text($0) })
        == "com.apple.main-thread",
      let target = memory.word(mainQueue &+ Self.targetQueue),
      let targetTable = memory.word(target), kind(at: target, first: targetTable) == .queue,
      let label = memory.word(target &+ DispatchQueueLayout.label).flatMap({ memory.text($0) }),
      label.hasPrefix("com.apple.root.")
    else { return nil }
  }

  /// Returns the kind of the libdispatch object at an address whose first word is `first`, or nil
  /// if there isn't one.
  mutating func kind(at address: UInt, first: UInt) -> Kind? {
    if first < Self.maxFlags {
      return first & Self.isAllocated != 0 && isItem(address) ? .item : nil
    }
    guard image.contains(first), let table = table(first) else { return nil }
    switch table {
    case .queue: return isAlive(address) ? .queue : nil
    case .group: return isAlive(address) ? .group : nil
    case .source: return isAlive(address) ? .source : nil
    case .item:
      return memory.word(address &+ Self.other).map { $0 != 0 } == true ? .item : nil
    case .sourceType:
      guard let owner = memory.word(address &+ Self.owner).map(~),
        memory.word(owner &+ Self.valuesOrState) == address, let first = memory.word(owner),
        kind(at: owner, first: first) == .source
      else { return nil }
      return .sourceState
    }
  }

  private func isAlive(_ address: UInt) -> Bool {
    memory.half(address &+ Self.referenceCount).map { Int32(bitPattern: $0) >= 0 } ?? false
  }

  private func isItem(_ address: UInt) -> Bool {
    memory.word(address &+ Self.function).flatMap { map.part(of: $0) }?.use == .code
  }

  private mutating func table(_ address: UInt) -> Table? {
    if let known = tables[address] { return known }
    let table = describe(address)
    if tables.count < 1 << 12 { tables[address] = .some(table) }
    return table
  }

  private func describe(_ address: UInt) -> Table? {
    guard let first = memory.word(address) else { return nil }
    if let name = text(first), Self.sourceTypes.contains(name) {
      return .sourceType(isLater: name == Self.laterType)
    }
    guard let type = memory.word(address &+ Self.type) else { return nil }
    // Work that waits in a queue for another queue doesn't have a name.
    if first == 0, type == Self.redirection {
      let invoke = memory.word(address &+ Self.invoke).flatMap { map.part(of: $0) }
      return invoke?.use == .code ? .item : nil
    }
    guard map.part(of: first)?.use == .code,
      let name = memory.word(address &+ Self.typeName).flatMap(text)
    else { return nil }
    switch type & Self.metaTypeMask {
    case Self.metaTypesOfQueues:
      return name.contains("queue") || name == "workloop" ? .queue : nil
    case Self.metaTypeOfSources: return name == "source" ? .source : nil
    default: return type & Self.typeMask == Self.typeOfGroups && name == "group" ? .group : nil
    }
  }

  private func text(_ address: UInt) -> String? {
    image.contains(address) ? memory.text(address, limit: 64) : nil
  }

  // MARK: What an object is

  package func isMainQueue(_ queue: UInt) -> Bool { queue == mainQueue }

  package func label(ofQueue queue: UInt) -> String {
    memory.word(queue &+ DispatchQueueLayout.label).flatMap { memory.text($0, limit: 256) } ?? ""
  }

  package func isSuspended(_ queue: UInt) -> Bool {
    memory.word(queue &+ DispatchQueueLayout.state).map { $0 & Self.suspension != 0 } ?? false
  }

  /// Reports whether a source calls a block once, after a delay. Such a source retains itself.
  mutating func isLater(_ source: UInt) -> Bool {
    guard let state = memory.word(source &+ Self.valuesOrState), let type = memory.word(state),
      case .sourceType(isLater: true)? = table(type)
    else { return false }
    return true
  }
}
