import Foundation

enum Stack {
  /// Runs a program some frames deeper, so that its references aren't in a frame that is in use.
  /// The memory of its frames keeps old words, as in any program.
  @inline(never)
  static func run(_ program: () -> Void) {
    runDeeper(program)
  }

  @inline(never)
  private static func runDeeper(_ program: () -> Void) {
    var room = InlineArray<512, UInt>(repeating: 0)
    keep(&room)
    program()
    keep(&room)
  }

  /// Overwrites 128 KiB below the frame of the caller.
  @inline(never)
  static func clear() {
    var room = InlineArray<16384, UInt>(repeating: 0)
    keep(&room)
  }

  /// Uses memory in a way that the optimizer doesn't know.
  @inline(never) @_optimize(none)
  private static func keep<Memory>(_ memory: inout Memory) {}
}

/// Returns an argument in a way that the optimizer doesn't know.
@inline(never) @_optimize(none)
func opaque<Value>(_ value: Value) -> Value { value }
