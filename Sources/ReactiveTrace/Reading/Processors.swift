internal import TraceShims

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// The processors that this process may use.
enum Processors {
  static let count: Int = {
    let known = Int(trace_processors())
    return known > 0 ? known : max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }()
}
