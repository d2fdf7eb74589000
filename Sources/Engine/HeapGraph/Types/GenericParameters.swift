import ProcessMemory
import SwiftRuntime

extension ObjectTypes {
  /// The place of a generic parameter of a type.
  struct ParameterPlace {
    /// The position among all parameters, those of the types around the type first.
    let position: Int
    /// The position among the generic arguments in metadata, or nil if it isn't there, because
    /// another parameter determines it.
    let argument: Int?
  }

  /// Returns the place of a generic parameter of a type, or nil if it isn't known.
  func place(of parameter: GenericParameter, inType descriptor: UInt) -> ParameterPlace? {
    guard let own = parameters(of: descriptor) else { return nil }
    // The numbers of parameters of the types around it, the outermost one first.
    var counts: [Int] = []
    var next: UInt? = descriptor
    for _ in 0..<Self.maxContexts {
      guard let context = next, let flags = metadata.descriptorFlags(context) else { break }
      if flags.isGeneric {
        guard let count = parameters(of: context)?.count else { return nil }
        if count != counts.first { counts.insert(count, at: 0) }
      }
      next = parent(of: context)
    }
    let depth = parameter.depth
    guard depth < counts.count else { return nil }
    let position = (depth > 0 ? counts[depth - 1] : 0) + parameter.index
    guard position < own.count else { return nil }
    return ParameterPlace(
      position: position,
      argument: own[position] ? own[..<position].count(where: \.self) : nil)
  }

  private static let maxContexts = 16

  /// Returns whether each generic parameter of a type, an extension or what is around a private
  /// type, with those of the types around it, is an argument in metadata. Returns nil if some of
  /// them are packs.
  private func parameters(of descriptor: UInt) -> [Bool]? {
    typealias Layout = GenericContextLayout
    guard let flags = metadata.descriptorFlags(descriptor), flags.isGeneric,
      let start = Layout.parameterCount(flags.kind).map({ descriptor &+ $0 }),
      let counts = memory.half(start & ~3)
    else { return nil }
    let count = UInt(counts >> (UInt32(start & 3) * 8) & 0xFFFF)
    guard count <= 64 else { return nil }
    var found: [Bool] = []
    for index in 0..<count {
      let place = start &+ Layout.parameters &+ index
      guard let four = memory.half(place & ~3) else { return nil }
      let parameter = four >> (UInt32(place & 3) * 8) & 0xFF
      guard parameter & Layout.parameterKind != Layout.pack else { return nil }
      found.append(parameter & Layout.hasArgument != 0)
    }
    return found
  }
}
