// Functions of the C library with names that methods don't hide. A type with a method `write` would
// otherwise have to name the C library, which has a different name on each platform.

package func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  open(path, flags, mode)
}

package func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

package func systemRead(
  _ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
  read(descriptor, bytes, count)
}

package func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
