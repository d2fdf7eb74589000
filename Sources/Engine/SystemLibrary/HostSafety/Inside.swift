public import CRuntime.OwnProcess

/// Whether the calling thread is inside the recorder. A signal handler must check it: if the
/// handler interrupted the thread inside the recorder, it would wait for a lock that its own thread
/// holds.
@usableFromInline
package enum Inside {
  @inlinable
  package static var isInside: Bool { trace_is_inside() }
}
