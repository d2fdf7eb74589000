/// A resource of which the system gives this process a limited amount.
package enum ResourceLimit: Sendable {
  /// The size of a file in bytes.
  case fileSize
  /// The size of the address space in bytes.
  case addressSpace
  /// The number of open descriptors.
  case descriptors

  /// The current limit, or `Int.max` if there is none. It is nil if the system does not report it.
  package var current: Int? {
    var limits = rlimit()
    return getrlimit(number, &limits) == 0 ? Int(clamping: limits.rlim_cur) : nil
  }

  /// Changes the current limit of this process. A limit of nil, or one above the maximum that the
  /// process may have, becomes that maximum.
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
