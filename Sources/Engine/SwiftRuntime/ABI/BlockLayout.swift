/// The layout of blocks, the C form of closures (Block-ABI-Apple in the documentation of clang).
/// Offsets and sizes are in bytes. The class is at the start.
@usableFromInline
package enum BlockLayout {
  /// The flags with the reference count, in four bytes.
  @inlinable package static var flags: UInt { 8 }
  @inlinable package static var function: UInt { 16 }
  @inlinable package static var descriptor: UInt { 24 }
  @inlinable package static var captures: UInt { 32 }

  // Block_private.h of the block runtime
  /// The flag of a block on the heap, and the bits that count references.
  @inlinable package static var isOnHeap: UInt32 { 1 << 24 }
  @inlinable package static var references: UInt32 { 0xFFFE }

  /// The size of the block, in its descriptor.
  @inlinable package static var size: UInt { 8 }

  /// The size of a block that the Swift compiler makes for a closure. Its captures are the code and
  /// the context of the closure.
  @inlinable package static var closureSize: UInt { 48 }
  @inlinable package static var closureContext: UInt { 40 }
}
