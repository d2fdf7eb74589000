import SystemLibrary
import TraceFormat

/// A copy of a dispatch queue's label, used to check whether a thread still serves that queue.
///
/// The address of a label isn't enough, because a new queue can reuse the memory of a deallocated
/// one.
struct QueueLabel {
  private var copy: UnsafeMutablePointer<CChar>?
  private var address: UnsafePointer<CChar>?

  mutating func remember(_ label: UnsafePointer<CChar>?) {
    forget()
    copy = label.flatMap { strdup($0) }
    address = label
  }

  mutating func forget() {
    free(copy)
    copy = nil
    address = nil
  }

  /// Returns whether `label` has the same text. The check runs for every record and takes a few
  /// nanoseconds.
  @inline(__always)
  func matches(_ label: UnsafePointer<CChar>?) -> Bool {
    guard let label, let copy else { return label == nil && copy == nil }
    return label == address && strcmp(label, copy) == 0
  }
}
