import Foundation

/// A small program with a subscription that leaks, or that looks as if it did.
///
/// The line that observes carries the comment `// observed`, so that the runner finds the place that
/// a report should lead with. A case with several findings has several such lines.
///
/// It is a class, so that a static variable with a case is one reference. Between the fields of a
/// structure there may be what is left of other addresses.
final class LeakCase: Sendable {
  /// A program that runs to its end and returns the object that the case is about, which nothing else
  /// holds by then. Returns nil if there is no such object.
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
  /// `path` are texts that must all occur among the steps, and `also` are fields that may occur.
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

  /// A subscription that is alive without a cycle: something that never ends holds it.
  ///
  /// One of the `roots` must be the first step. `holder` are texts of the sentence about who holds the
  /// disposable.
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
  /// `alive` says whether the object is still there at the end, which is no finding by itself.
  static func fine(
    _ name: String, lanes: [String], alive: Bool = false, file: String = #fileID,
    _ program: Program
  ) -> LeakCase {
    LeakCase(
      Expectation(name: name, file: file, verdict: .fine, lanes: lanes, alive: alive), program)
  }
}
