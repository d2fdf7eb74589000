import CRuntime.OwnProcess
import SystemLibrary
import TraceFormat

/// A copy of a dispatch queue's label, used to check whether a thread still serves that queue.
///
/// The address of a label isn't enough, because a new queue can reuse the memory of a deallocated
/// one.
struct QueueLabel {
  private var copy: UnsafeMutablePointer<CChar>?
  private var address: UnsafePointer<CChar>?
  /// A Boolean value that indicates whether the label is that of a queue that always exists, so
  /// that no other label can be at its address.
  private var isConstant = false

  mutating func remember(_ label: UnsafePointer<CChar>?) {
    forget()
    copy = label.flatMap { strdup($0) }
    address = label
    isConstant = label.map { trace_is_constant_label($0) } ?? false
  }

  mutating func forget() {
    free(copy)
    copy = nil
    address = nil
    isConstant = false
  }

  /// Returns whether `label` has the same text. The check runs for every record and takes a few
  /// nanoseconds.
  @inline(__always)
  func matches(_ label: UnsafePointer<CChar>?) -> Bool {
    if isConstant, label == address { return true }
    guard let label, let copy else { return label == nil && copy == nil }
    return label == address && strcmp(label, copy) == 0
  }
}
