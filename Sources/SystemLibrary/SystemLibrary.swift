// The C library, under whichever name the platform has it. Every other target imports this one instead.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Android)
  @_exported public import Android
#else
  @_exported public import Darwin
#endif
