import Foundation

/// A small program with a subscription that leaks, or that looks as if it did.
///
/// The line that observes has the comment `// observed`, so that the runner can find the location
/// at which a report should begin. A case with several findings has several such lines.
///
/// This is a class, so that a static variable with a case is a single reference. The padding of a
/// structure can contain parts of old addresses.
final class LeakCase: Sendable {
  /// A program that runs to completion and returns the object under test, which nothing else in the
  /// program retains at that point. Returns nil if the case doesn't have an object.
  enum Program: Sendable {
    case now(@MainActor @Sendable () -> AnyObject?)
    /// A program with tasks, which run while the main thread waits.
    case later(@MainActor @Sendable () async -> AnyObject?)
  }

  let expectation: Expectation
  let program: Program

  var name: String { expectation.name }

  private init(_ expectation: Expectation, _ program: Program) {
    self.expectation = expectation
    self.program = program
  }

  /// A subscription that a retain cycle keeps alive.
  ///
  /// `path` contains strings that must all occur in the steps, and `also` contains fields that may
  /// occur.
  static func cycle(
    _ name: String, lanes: [String], upstream: [String] = [], path: [String], also: [String] = [],
    breaks: String? = nil, withoutLanes: Int? = nil, release: String? = nil,
    file: String = #fileID, _ program: Program
  ) -> LeakCase {
    LeakCase(
      Expectation(
        name: name, file: file, verdict: .leak, lanes: lanes, upstream: upstream,
        rule: "retain-cycle", kind: "cycle", path: path, also: also, breaks: breaks, alive: true,
        withoutLanes: withoutLanes, release: release),
      program)
  }

  /// A subscription that is alive without a cycle, because something that never ends retains it.
  ///
  /// One of the `roots` must be the first step. `holder` has strings of the sentence about the
  /// holder of the disposable.
  static func held(
    _ name: String, lanes: [String], upstream: [String] = [], roots: [String],
    path: [String] = [], also: [String] = [], holder: [String] = [], alive: Bool,
    release: String? = nil, file: String = #fileID, _ program: Program
  ) -> LeakCase {
    LeakCase(
      Expectation(
        name: name, file: file, verdict: .leak, lanes: lanes, upstream: upstream,
        rule: "undisposed", kind: "path", path: path, also: also, roots: roots, holder: holder,
        alive: alive, release: release),
      program)
  }

  /// A program without a leak. The lanes are those that it observes.
  ///
  /// `alive` indicates whether the object still exists at the end, which by itself isn't a finding.
  static func fine(
    _ name: String, lanes: [String], alive: Bool = false, file: String = #fileID,
    _ program: Program
  ) -> LeakCase {
    LeakCase(
      Expectation(name: name, file: file, verdict: .fine, lanes: lanes, alive: alive), program)
  }
}
