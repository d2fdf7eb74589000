import Foundation

/// What this process and every process that it starts may use, so that one that runs wild neither fills the disk nor
/// stays.
package enum ProcessLimits {
  /// Bytes that a file may have: some ten times as many as the largest file of any test.
  package static let fileSize = 1 << 30

  /// Sets the limits of this process, which those that it starts inherit. Only the first call does anything.
  package static func apply() {
    _ = areSet
  }

  /// Has this process killed, by SIGALRM, if it is still there after `hangLimit`. For the body of an exit test.
  package static func endSomeTime() {
    apply()
    alarm(UInt32(hangLimit))
  }

  private static let areSet: Void = {
    set(.fileSize, rlim_t(fileSize))
    // A crash that is meant to happen writes no core file.
    set(.core, 0)
    // What a test run that crashed leaves behind ends some time: an hour of a processor.
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
    // The soft limit: a test of what happens beyond a limit sets one of its own.
    limits.rlim_cur = min(most, limits.rlim_max)
    setrlimit(resource, &limits)
  }
}
