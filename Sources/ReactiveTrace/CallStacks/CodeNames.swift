import ReactiveKit
import SystemLibrary
import TraceFormat

#if os(Linux) && canImport(Runtime)
  import Runtime
#endif

/// The source names of return addresses. Each address is looked up once.
final class CodeNames: Sendable {
  private let known = Guarded<[UInt: CodeFrame]>([:])
  private let limit: Int

  /// Creates an empty set of names. A lookup may take `limit` nanoseconds.
  init(limit: Int = 1_000_000_000) { self.limit = limit }

  /// Returns the innermost frame of each stack that is not in this package, or nil if there is
  /// none. Also returns whether there was time to look up all frames.
  func locations(of stacks: [CallStack]) -> (locations: [CodeLocation?], isComplete: Bool) {
    let clock = LogClock()
    let isInTime = { [limit] in clock.now < limit }
    let addresses = Set(stacks.flatMap { $0.addresses })
    let new = known.withLock { known in addresses.filter { known[$0] == nil } }
    if !new.isEmpty {
      // No lock is held here, because this reads files.
      let frames = Self.frames(at: new, isInTime)
      known.withLock { $0.merge(frames) { first, _ in first } }
    }
    let isComplete = new.isEmpty || isInTime()
    let known = known.withLock { $0 }
    let locations = stacks.map { stack -> CodeLocation? in
      for address in stack.addresses {
        if case .location(let location) = known[address] { return location }
      }
      return nil
    }
    return (locations, isComplete)
  }

  #if os(Linux) && canImport(Runtime)
    /// Returns the frames according to the files of the images.
    private static func frames(
      at addresses: Set<UInt>, _ isInTime: @escaping () -> Bool
    ) -> [UInt: CodeFrame] {
      var frames: [UInt: CodeFrame] = [:]
      for address in addresses { frames[address] = .unknown }
      let images = ImageMap.capture()
      // A return address belongs to the next instruction, which may be on another line.
      let calls = Dictionary(grouping: addresses) { address in
        images.indexOfImage(at: Backtrace.Address(UInt64(address &- 1))) ?? -1
      }
      for (number, addresses) in calls where number >= 0 {
        let image = images[number]
        guard let base = UInt64(image.baseAddress), let path = image.path,
          let file = ElfFile(path == program ? "/proc/self/exe" : path, isInTime: isInTime)
        else { continue }
        let move = UInt(base) &- file.firstAddress
        let moved = Self.moved(addresses, by: move)
        var names = ImageNames(moved.map(\.offset), isInTime: isInTime)
        for (call, frame) in zip(moved, names.frames(in: file)) { frames[call.address] = frame }
      }
      return frames
    }

    /// Returns the offsets in the file of the calls that return to the addresses, in ascending
    /// order. The order can differ from that of the addresses: if a file requests a very high load
    /// address, lower addresses wrap around.
    static func moved(
      _ addresses: [UInt], by move: UInt
    ) -> [(address: UInt, offset: UInt)] {
      addresses.map { ($0, $0 &- 1 &- move) }.sorted { $0.offset < $1.offset }
    }

    /// The path of the program. If the program's file is replaced, the old one stays readable under
    /// another name.
    private static var program: String {
      var path = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/self/exe", &path, path.count - 1)
      return count > 0 ? SystemError.text(path) : ""
    }
  #else
    /// Returns nothing, because this platform has no support for names of addresses.
    private static func frames(
      at addresses: Set<UInt>, _ isInTime: () -> Bool
    ) -> [UInt: CodeFrame] { [:] }
  #endif
}
