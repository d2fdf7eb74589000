import SystemLibrary

extension Trace.ActiveSubscription {
  /// A call that observes a signal.
  public struct Call: Sendable, Equatable, CustomStringConvertible {
    /// The source location, such as `Module/File.swift:42`, or nil if the program doesn't have
    /// debug information.
    public let source: String?
    /// The function that makes the call, if known.
    public let function: String?

    public var description: String {
      [source, function].compactMap(\.self).joined(separator: "  ")
    }
  }
}

/// A place whose source location is looked up on first use, because that takes milliseconds.
struct ResolvablePlace: Sendable, Equatable {
  let recorder: Recorder
  let place: PlaceNumber

  var call: Trace.ActiveSubscription.Call? {
    // A signal handler that interrupted the recorder would deadlock with its own thread.
    guard !Inside.isInside, let location = recorder.locations.nameOrOffset(of: place) else {
      return nil
    }
    return Trace.ActiveSubscription.Call(source: location.source, function: location.function)
  }

  static func == (left: ResolvablePlace, right: ResolvablePlace) -> Bool {
    left.recorder === right.recorder && left.place == right.place
  }
}
