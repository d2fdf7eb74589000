import CRuntime.OwnProcess
package import SystemLibrary

/// The source names of return addresses and of functions. Each address is looked up once.
package final class CodeNames: LocationNames {
  private struct Known {
    var frames: [UInt: CodeFrame] = [:]
    /// The functions by the addresses where they begin. A value is nil if the function doesn't have
    /// a name.
    var functions: [UInt: CodeFunction?] = [:]
    /// The calls by their return addresses.
    var calls: [UInt: CodeCall] = [:]
  }

  private let known = BlockingGuarded(Known())
  private let limit: Int
  private let describesCalls: Bool
  /// Finds the image that contains an address.
  private let image: @Sendable (UInt) -> LoadedImage?

  /// Creates an empty set of names.
  ///
  /// - Parameters:
  ///   - limit: The maximum time of a lookup, in nanoseconds.
  ///   - describesCalls: A Boolean value that indicates whether `knownCalls(_:)` is used, which
  ///     makes a lookup slower.
  ///   - image: Finds the image that contains an address, by default an image of this process.
  package init(
    limit: Int = 1_000_000_000, describesCalls: Bool = false,
    image: @escaping @Sendable (UInt) -> LoadedImage? = { LoadedImage(at: $0) }
  ) {
    self.limit = limit
    self.describesCalls = describesCalls
    self.image = image
  }

  /// Returns the innermost frame of each stack outside this package, or nil if there isn't one.
  /// Also returns whether there was time to look up all frames.
  func locations(of stacks: [CallStack]) -> (locations: [CodeLocation?], isComplete: Bool) {
    let isComplete = lookUp(stacks: stacks, functions: [])
    return (known(stacks), isComplete)
  }

  /// Returns the innermost known frame of each stack outside this package.
  package func known(_ stacks: [CallStack]) -> [CodeLocation?] {
    let frames = known.withLock { $0.frames }
    return stacks.map { stack -> CodeLocation? in
      for address in stack.addresses {
        if case .location(let location) = frames[address] { return location }
      }
      return nil
    }
  }

  /// Returns the known calls of each stack that have a source location and aren't in this package,
  /// innermost first, beginning with the call that `known(_:)` returns.
  package func knownCallers(_ stacks: [CallStack]) -> [[CodeLocation]] {
    let frames = known.withLock { $0.frames }
    return stacks.map { stack in
      stack.addresses.compactMap { address in
        if case .location(let location) = frames[address], location.source != nil {
          return location
        }
        return nil
      }
    }
  }

  /// Returns the known functions that begin at the addresses. A function is unknown if the address
  /// isn't the start of a function, or if there wasn't time to look it up.
  package func knownFunctions(at addresses: [UInt]) -> [UInt: CodeFunction] {
    known.withLock { known in
      var functions: [UInt: CodeFunction] = [:]
      for address in addresses { functions[address] = known.functions[address] ?? nil }
      return functions
    }
  }

  /// Returns what is known about the calls that return to the addresses.
  package func knownCalls(_ addresses: [UInt]) -> [UInt: CodeCall] {
    known.withLock { known in
      var calls: [UInt: CodeCall] = [:]
      for address in addresses { calls[address] = known.calls[address] }
      return calls
    }
  }

  /// Looks up all unknown addresses in one pass over the debug information. Returns whether there
  /// was time for all of them. An address that wasn't found in time can be looked up again.
  ///
  /// - Parameter limit: The maximum time, in nanoseconds, if it isn't that of all lookups.
  package func lookUp(
    stacks: [CallStack], functions addresses: [UInt], limit: Int? = nil
  ) -> Bool {
    let clock = LogClock()
    let limit = limit ?? self.limit
    let isInTime = { clock.now < limit }
    let calls = Set(stacks.flatMap { $0.addresses })
    let new = known.withLock { known in
      (
        calls: calls.filter { known.frames[$0] == nil },
        functions: Set(addresses.filter { known.functions[$0] == nil })
      )
    }
    guard !new.calls.isEmpty || !new.functions.isEmpty else { return true }
    // The lock isn't held here because this reads files.
    var found = names(calls: new.calls, functions: new.functions, isInTime)
    let isComplete = isInTime()
    if !isComplete {
      found.frames = found.frames.filter { $0.value != .unknown }
      found.functions = found.functions.filter { $0.value != nil }
    }
    known.withLock { known in
      known.frames.merge(found.frames) { first, _ in first }
      known.functions.merge(found.functions) { first, _ in first }
      known.calls.merge(found.calls) { first, _ in first }
    }
    return isComplete
  }

  /// Returns a name for a stack whose frames aren't in the debug information: the image and the
  /// offset in it, such as `app+0x1a2b`, for a tool with separate debug information.
  package func fallback(for stack: CallStack) -> CodeLocation {
    let frames = known.withLock { known in stack.addresses.map { known.frames[$0] } }
    let unknown = zip(stack.addresses, frames).dropFirst(stack.ownCalls).filter { $0.1 != .ours }
      .map(\.0)
    return CodeLocation(source: nil, function: offset(unknown) ?? "unknown call stack")
  }

  #if os(Linux)
    /// Returns the image and the offset of the innermost address outside the system's libraries.
    private func offset(_ addresses: [UInt]) -> String? {
      let offsets = addresses.compactMap { address -> (name: String, isSystem: Bool)? in
        guard let image = image(address &- 1) else { return nil }
        let file = image.path.split(separator: "/").last.map(String.init) ?? image.path
        let offset = String(address &- 1 &- image.start, radix: 16)
        return ("\(file)+0x\(offset)", Self.isSystem(image.path, file))
      }
      return (offsets.first { !$0.isSystem } ?? offsets.first)?.name
    }

    private static func isSystem(_ path: String, _ file: String) -> Bool {
      let libraries = ["libswift", "libFoundation", "lib_", "libdispatch", "libBlocksRuntime"]
      return path.hasPrefix("/lib") || path.hasPrefix("/usr/lib")
        || libraries.contains { file.hasPrefix($0) }
    }

    /// Returns the frames and functions from the files of the images.
    private func names(
      calls: Set<UInt>, functions: Set<UInt>, _ isInTime: @escaping () -> Bool
    ) -> Known {
      var known = Known()
      for address in calls { known.frames[address] = .unknown }
      for address in functions { known.functions[address] = .some(nil) }
      // A return address belongs to the next instruction, which can be on another line.
      let callGroups = Dictionary(grouping: calls) { image($0 &- 1) }
      let functionGroups = Dictionary(grouping: functions) { image($0) }
      for image in Set(callGroups.keys).union(functionGroups.keys) {
        guard let image, isInTime(), let file = ElfFile(image.file, isInTime: isInTime)
        else { continue }
        let move = image.distance(file)
        let calls = Self.moved(callGroups[image] ?? [], by: move)
        let entries = Self.moved(
          (functionGroups[image] ?? []).map { $0 &+ 1 }, by: move)
        var names = ImageNames(
          calls.map(\.offset), entries: entries.map(\.offset), isInTime: isInTime)
        let found = names.look(in: file, describesCalls: describesCalls)
        let modules = CodeModules(file, isInTime: isInTime)
        for (call, frame) in zip(calls, found.frames) {
          let isOurs = frame == .unknown && modules.isOurs(call.offset) == true
          known.frames[call.address] = isOurs ? .ours : frame
        }
        for (call, description) in zip(calls, found.calls) {
          known.calls[call.address] = description
        }
        for (entry, function) in zip(entries, found.functions) {
          let address = entry.address &- 1
          known.functions[address] = .some(
            function ?? nameless(address, image, isOurs: modules.isOurs(entry.offset)))
        }
      }
      return known
    }

    /// Returns a function without a symbol: its image and its offset there.
    private func nameless(
      _ address: UInt, _ image: LoadedImage, isOurs: Bool?
    ) -> CodeFunction? {
      let file = image.path.split(separator: "/").last.map(String.init) ?? image.path
      guard !Self.isSystem(image.path, file), let offset = offset([address &+ 1]) else {
        return nil
      }
      return CodeFunction(
        location: CodeLocation(source: nil, function: nil),
        origin: isOurs == true ? .package : .user, offset: offset)
    }

    /// Returns the file offsets of the calls that return to the addresses, in ascending order. The
    /// order can differ from the order of the addresses: if a file requests a very high load
    /// address, lower addresses wrap around.
    static func moved(
      _ addresses: [UInt], by move: UInt
    ) -> [(address: UInt, offset: UInt)] {
      addresses.map { ($0, $0 &- 1 &- move) }.sorted { $0.offset < $1.offset }
    }
  #else
    /// Returns nothing, because names of addresses aren't supported on this platform.
    private func names(
      calls: Set<UInt>, functions: Set<UInt>, _ isInTime: () -> Bool
    ) -> Known { Known() }

    private func offset(_ addresses: [UInt]) -> String? {
      addresses.first.map { "0x" + String($0, radix: 16) }
    }
  #endif
}
