/// Repeats `attempt` until it returns a value, or until `deadline`. At exit, a thread must only
/// wait like this and never sleep in a lock, because a signal handler can have interrupted the
/// lock's holder.
@inlinable
package func poll<Result>(until deadline: Int, _ attempt: () -> Result?) -> Result? {
  while true {
    if let result = attempt() { return result }
    if LogClock.monotonic() > deadline { return nil }
    LogClock.yield()
  }
}
