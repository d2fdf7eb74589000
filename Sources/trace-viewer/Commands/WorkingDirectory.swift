internal import ReactiveTrace

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The directory that this process works in.
enum WorkingDirectory {
  /// Empty where it is gone, or may not be known.
  static var path: String {
    guard let path = getcwd(nil, 0) else { return "" }
    defer { free(path) }
    return RawPath.make(path)
  }
}
