import ProcessMemory
import SwiftRuntime

extension ObjectTypes {
  /// Returns the position of a generic parameter of a type among the generic arguments in its
  /// metadata, or nil if it isn't known.
  func index(of parameter: GenericParameter, inType descriptor: UInt) -> Int? {
    guard parameter.depth <= 1, let own = parameters(of: descriptor) else { return nil }
    var first = 0
    if parameter.depth == 1 {
      guard let outer = parent(of: descriptor), let around = parameters(of: outer) else {
        return nil
      }
      first = around
    }
    let index = first + parameter.index
    return index < own ? index : nil
  }

  /// Returns the number of generic parameters of a type, an extension or what is around a private
  /// type, with those of the types around it. Returns nil if some of them aren't arguments in
  /// metadata.
  private func parameters(of descriptor: UInt) -> Int? {
    typealias Layout = GenericContextLayout
    guard let flags = metadata.descriptorFlags(descriptor), flags.isGeneric,
      let start = Layout.parameterCount(flags.kind).map({ descriptor &+ $0 }),
      let counts = memory.half(start & ~3)
    else { return nil }
    let count = Int(counts >> (UInt32(start & 3) * 8) & 0xFFFF)
    guard count <= 64 else { return nil }
    for index in 0..<UInt(count) {
      let place = start &+ Layout.parameters &+ index
      guard let four = memory.half(place & ~3),
        four >> (UInt32(place & 3) * 8) & 0xFF == Layout.isTypeWithArgument
      else { return nil }
    }
    return count
  }
}
