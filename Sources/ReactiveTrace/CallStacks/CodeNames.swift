import ReactiveKit
import TraceFormat

#if os(Linux) && canImport(Runtime)
  import Runtime

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
#endif

/// What return addresses are called in the source, looked up once for each address.
final class CodeNames: Sendable {
  private let known = Guarded<[UInt: CodeFrame]>([:])
  private let limit: Int

  /// A lookup may take `limit` nanoseconds.
  init(limit: Int = 1_000_000_000) { self.limit = limit }

  /// The innermost frame of each stack that is not in this package, nil where it is not found; and whether there was time to look
  /// for all of them.
  func locations(of stacks: [CallStack]) -> (locations: [CodeLocation?], isComplete: Bool) {
    let clock = LogClock()
    let isInTime = { [limit] in clock.now < limit }
    let addresses = Set(stacks.flatMap { $0.addresses })
    let new = known.withLock { known in addresses.filter { known[$0] == nil } }
    if !new.isEmpty {
      // Under no lock: files are read.
      let frames = Self.frames(at: new, isInTime)
      known.withLock { $0.merge(frames) { first, _ in first } }
    }
    let isComplete = new.isEmpty || isInTime()
    let known = known.withLock { $0 }
    let locations = stacks.map { stack -> CodeLocation? in
      for address in stack.addresses {
        if case .place(let location) = known[address] { return location }
      }
      return nil
    }
    return (locations, isComplete)
  }

  #if os(Linux) && canImport(Runtime)
    /// What the files of the images say.
    private static func frames(
      at addresses: Set<UInt>, _ isInTime: @escaping () -> Bool
    ) -> [UInt: CodeFrame] {
      var frames: [UInt: CodeFrame] = [:]
      for address in addresses { frames[address] = .unknown }
      let images = ImageMap.capture()
      // A return address is that of the next instruction, which may be another line's.
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
        var names = ImageNames(moved.map(\.place), isInTime: isInTime)
        for (call, frame) in zip(moved, names.frames(in: file)) { frames[call.address] = frame }
      }
      return frames
    }

    /// The places in the file of what returns to the addresses, ascending: a file may ask for so high an address that those below
    /// it wrap around.
    static func moved(
      _ addresses: [UInt], by move: UInt
    ) -> [(address: UInt, place: UInt)] {
      addresses.map { ($0, $0 &- 1 &- move) }.sorted { $0.place < $1.place }
    }

    /// The path of the program, which stays readable under another name when it is replaced.
    private static var program: String {
      var path = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/self/exe", &path, path.count - 1)
      return count > 0 ? SystemError.text(path) : ""
    }
  #else
    /// Nothing here turns addresses into names.
    private static func frames(
      at addresses: Set<UInt>, _ isInTime: () -> Bool
    ) -> [UInt: CodeFrame] { [:] }
  #endif
}
