import SystemLibrary
import TraceFormat

/// A copy of the label of a dispatch queue, used to check whether a thread still serves that queue.
///
/// The address of a label is not enough, because a new queue may get the memory of a deleted one.
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

  /// Reports whether `label` has the same text. The check runs for every record and takes some
  /// nanoseconds.
  @inline(__always)
  func matches(_ label: UnsafePointer<CChar>?) -> Bool {
    guard let label, let copy else { return label == nil && copy == nil }
    return label == address && strcmp(label, copy) == 0
  }
}
