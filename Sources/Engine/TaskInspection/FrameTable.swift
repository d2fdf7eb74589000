package import CodeLocations
import SystemLibrary

/// The frames at the addresses of a process. Each address is described once, because many tasks
/// have the same functions.
package struct FrameTable {
  private var calls: [UInt: InspectedFrame] = [:]
  private var resumptions: [UInt: InspectedFrame] = [:]

  /// - Parameters:
  ///   - names: The names that are known already.
  ///   - isSwift: Whether the process has the Swift runtime.
  ///   - limit: The maximum time to look up names, in nanoseconds.
  ///   - image: Finds the image that contains an address.
  package init(
    _ names: CodeNames, calls: [UInt], resumptions: [UInt], isSwift: Bool, limit: Int,
    image: @escaping @Sendable (UInt) -> LoadedImage?
  ) {
    let (calls, resumptions) = (Set(calls), Set(resumptions))
    _ = names.lookUp(
      stacks: [CallStack(addresses: Array(calls))], functions: Array(resumptions), limit: limit)
    let known = names.knownCalls(Array(calls))
    for address in calls {
      self.calls[address] = InspectedFrame(
        known[address], image(address &- 1), address: address, isSwift: isSwift)
    }
    let functions = names.knownFunctions(at: Array(resumptions))
    for address in resumptions {
      self.resumptions[address] = InspectedFrame(
        functions[address], image(address), resumingAt: address)
    }
  }

  package func call(_ address: UInt) -> InspectedFrame {
    calls[address] ?? InspectedFrame(nil, nil, address: address, isSwift: false)
  }

  package func resumption(_ address: UInt) -> InspectedFrame {
    resumptions[address] ?? InspectedFrame(nil, nil, resumingAt: address)
  }
}
