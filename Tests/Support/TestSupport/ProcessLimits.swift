import Foundation

/// The resource limits of this process and of every process that it starts. With them, a runaway
/// process neither fills the disk nor runs forever.
package enum ProcessLimits {
  /// The maximum number of bytes in a file, about ten times the size of the largest file of any
  /// test.
  package static let fileSize = 1 << 30

  /// Sets the limits of this process, which the processes that it starts inherit. Only the first
  /// call has an effect.
  package static func apply() {
    _ = areSet
  }

  /// Ends this process with SIGALRM if it still runs after `hangLimit` seconds. For the body of an
  /// exit test.
  package static func endSomeTime() {
    apply()
    alarm(UInt32(hangLimit))
  }

  private static let areSet: Void = {
    set(.fileSize, rlim_t(fileSize))
    // An intended crash doesn't write a core file.
    set(.core, 0)
    // Processes that a crashed test run leaves behind end after an hour of processor time.
    set(.processorTime, 3600)
  }()

  #if canImport(Glibc)
    private typealias Number = __rlimit_resource
  #else
    private typealias Number = Int32
  #endif

  private enum Resource {
    case fileSize, core, processorTime

    var number: Number {
      switch self {
      case .fileSize: RLIMIT_FSIZE
      case .core: RLIMIT_CORE
      case .processorTime: RLIMIT_CPU
      }
    }
  }

  private static func set(_ resource: Resource, _ most: rlim_t) {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(resource.number.rawValue)
    #else
      let resource = resource.number
    #endif
    var limits = rlimit()
    guard getrlimit(resource, &limits) == 0 else { return }
    // Only the soft limit, so that a test of what happens beyond a limit can set its own.
    limits.rlim_cur = min(most, limits.rlim_max)
    setrlimit(resource, &limits)
  }
}
