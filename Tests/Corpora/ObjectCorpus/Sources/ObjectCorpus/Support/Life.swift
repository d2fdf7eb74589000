import Foundation
import Synchronization

/// The number of live instances by class. It doesn't have references or addresses of them.
enum Life {
  private static let counts = Mutex<[String: Int]>([:])
  /// An address on the stack of the main thread.
  nonisolated(unsafe) private static var mainStack: UInt = 0

  /// Stores where the stack of the main thread is.
  static func prepare() { mainStack = stackAddress() }

  /// Counts a new instance. The last statement of an initializer.
  ///
  /// The optimizer allocates some objects on the stack. Such an object isn't one of the heap, so
  /// this stops the program.
  @inline(never)
  static func begin(_ object: AnyObject, _ name: String) {
    let maxStackSize: UInt = 8 << 20
    func distance(_ one: UInt, _ other: UInt) -> UInt { max(one, other) - min(one, other) }
    let stack = stackAddress()
    if distance(stack, mainStack) < maxStackSize {
      let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
      precondition(distance(stack, address) > maxStackSize, "\(name) is on the stack.")
    }
    counts.withLock { $0[name, default: 0] += 1 }
  }

  /// Counts an instance that is deallocated.
  @inline(never)
  static func end(_ name: String) {
    counts.withLock { $0[name, default: 0] -= 1 }
  }

  /// Prints the numbers of live instances as a JSON object.
  static func printCounts() {
    let alive = counts.withLock { $0.filter { $0.value != 0 } }
    let members = alive.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
    print("{\(members.joined(separator: ", "))}")
    fflush(nil)
  }

  @inline(never)
  private static func stackAddress() -> UInt {
    var word = 0
    return withUnsafeMutablePointer(to: &word) { UInt(bitPattern: $0) }
  }
}
