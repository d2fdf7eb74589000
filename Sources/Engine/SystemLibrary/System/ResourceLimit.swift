/// A resource that the system limits for this process.
package enum ResourceLimit: Sendable {
  /// The size of a file in bytes.
  case fileSize
  /// The size of the address space in bytes.
  case addressSpace
  /// The number of open descriptors.
  case descriptors

  /// The current limit, or `Int.max` if the resource is unlimited. It is nil if the system doesn't
  /// report it.
  package var current: Int? {
    var limits = rlimit()
    return getrlimit(number, &limits) == 0 ? Int(clamping: limits.rlim_cur) : nil
  }

  /// Changes the current limit of this process. Nil, or a limit above the maximum for the process,
  /// sets the maximum.
  package func set(_ count: Int?) {
    var limits = rlimit()
    guard getrlimit(number, &limits) == 0 else { return }
    limits.rlim_cur = min(count.map { rlim_t($0) } ?? limits.rlim_max, limits.rlim_max)
    setrlimit(number, &limits)
  }

  #if canImport(Glibc)
    private var number: __rlimit_resource_t {
      switch self {
      case .fileSize: __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      case .addressSpace: __rlimit_resource_t(RLIMIT_AS.rawValue)
      case .descriptors: __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      }
    }
  #else
    private var number: Int32 {
      switch self {
      case .fileSize: RLIMIT_FSIZE
      case .addressSpace: RLIMIT_AS
      case .descriptors: RLIMIT_NOFILE
      }
    }
  #endif
}
