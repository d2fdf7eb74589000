import Foundation

/// A child process that is forked, not started.
enum ForkedChild {
  /// Forks a child that exits immediately. Returns its ID.
  static func start() -> Int32 {
    // Swift marks `fork` as unavailable.
    typealias Fork = @convention(c) () -> Int32
    guard let symbol = dlsym(nil, "fork") else { return -1 }
    let child = unsafeBitCast(symbol, to: Fork.self)()
    if child == 0 { _exit(0) }
    return child
  }

  static func wait(for child: Int32) {
    var status: Int32 = 0
    waitpid(child, &status, 0)
  }
}
