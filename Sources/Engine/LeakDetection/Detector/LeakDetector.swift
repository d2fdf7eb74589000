import TraceFormat

/// Lists the objects of this process that leaked because they retain each other.
///
/// It works in every Swift program on Linux without a sanitizer. The objects don't have to
/// be prepared in a special way. Nothing is recorded before a list is requested.
///
/// ```swift
/// for leak in try LeakDetector.leaks() {
///   print(leak)
/// }
/// ```
///
/// `trace-viewer leaks` does the same from outside. It also finds objects that were retained by
/// hand and never released, if no thread runs meanwhile.
public enum LeakDetector {
  /// Returns the unreachable retain cycles of this process, one for each mistake, largest first.
  ///
  /// The search takes about a second for each gigabyte of memory. It doesn't take a lock and
  /// doesn't stop a thread. Because other threads run meanwhile, it looks twice, and only returns
  /// cycles whose objects have no other references according to their counts. Cycles with a task
  /// are left out if another thread runs, or waits with a reference in a register. Where the layout
  /// of an object isn't understood, an old word in memory that is its address hides it. You can
  /// call this method on any thread.
  ///
  /// - Parameter limit: The maximum time for the search.
  /// - Throws: ``LeakDetectionError`` if the memory can't be searched.
  public static func leaks(
    limit: Duration = .seconds(10)
  ) throws(LeakDetectionError) -> [Leak] {
    try search(limit).leaks
  }

  /// What a search found.
  struct Report {
    var leaks: [Leak] = []
    /// The addresses of the objects on cycles, with all bits inverted.
    var onCycles: Set<UInt> = []
  }

  /// Searches this process.
  ///
  /// - Parameter ignored: `Report.onCycles` of an earlier search, whose cycles aren't described.
  static func search(
    ignoring ignored: Set<UInt> = [], _ limit: Duration
  ) throws(LeakDetectionError) -> Report {
    #if os(Linux)
      do throws(LeakSearchFailure) {
        let report = try LeakSearch.searchThisProcess(
          ignoring: ignored, limit: Int(clamping: Int64(limit / .nanoseconds(1))))
        return Report(
          leaks: report.findings.filter { $0.isOfUser && $0.kind == .cycle }.map { Leak($0) },
          onCycles: report.onCycles)
      } catch {
        switch error {
        case .unreadable: throw LeakDetectionError(.unreadable)
        case .sanitizer: throw LeakDetectionError(.unknownAllocator)
        case .noObjects: throw LeakDetectionError(.noObjects)
        case .limit: throw LeakDetectionError(.timedOut)
        }
      }
    #else
      throw LeakDetectionError(.unsupportedPlatform)
    #endif
  }
}

/// Objects that leaked because of the same mistake.
public struct Leak: Sendable, CustomStringConvertible {
  /// The objects of one class.
  public struct Objects: Sendable, Equatable {
    /// The name of the class without its module. It is empty for memory that isn't an object.
    public let className: String
    public let count: Int
    /// The size of the objects with what the allocator adds, in bytes.
    public let bytes: Int
  }

  /// Something on a cycle that retains the next step. The last step retains the first one.
  public struct Step: Sendable, Equatable {
    /// The stored property of an object, such as `Cart.onChange`, or what else retains the next
    /// step, such as `closure at Cart.swift:12`.
    public let name: String
    /// The location of the closure or the declaration, such as `Shop/Cart.swift:12`, or nil if it
    /// is unknown.
    public let source: String?
  }

  /// The class that the reference to break belongs to.
  public let className: String
  /// The number of cycles with the same steps.
  public let count: Int
  /// The objects on the cycles.
  public let members: [Objects]
  /// The objects that only the cycles keep alive.
  public let held: [Objects]
  /// The line to look at, such as `Shop/Cart.swift:12`, or nil if the program doesn't have debug
  /// information.
  public let source: String?
  /// A Boolean value that indicates whether a step of the cycle was found only by looking for words
  /// that may be references.
  public let isProbable: Bool
  /// The steps of one of the cycles.
  public var steps: [Step] {
    retention.steps.map { Step(name: RetentionWords.name(of: $0), source: $0.site) }
  }
  /// The index of the step to break, or nil if none stands out.
  public var breakIndex: Int? { retention.breakIndex }
  private let retention: Retention

  init(_ finding: LeakFinding) {
    className = finding.name
    count = finding.count
    members = finding.members.map(Objects.init)
    held = finding.held.map(Objects.init)
    source = finding.site
    retention = finding.retention
    isProbable = retention.isProbable
  }

  /// The steps of the cycle, one a line, with the step to break and what to do there.
  public var description: String {
    let count = (members + held).reduce(0) { $0 + ($1.className.isEmpty ? 0 : $1.count) }
    let cycles = self.count == 1 ? "a cycle" : "\(self.count) cycles with the same steps"
    let objects = count == 1 ? "1 object" : "\(count) objects"
    let lines = retention.steps.indices.map { index -> String in
      let step = retention.steps[index]
      let detail = RetentionWords.detail(of: step)
      let mark = index == retention.breakIndex ? "  <- \(RetentionWords.mark)" : ""
      return "  " + RetentionWords.name(of: step) + (detail.isEmpty ? "" : ": \(detail)") + mark
    }
    let remedy = RetentionWords.remedy(retention).map { ["  \($0.text)"] } ?? []
    let kind = isProbable ? "probably kept alive" : "kept alive"
    return (["\(className): \(objects) \(kind) by \(cycles)"] + lines + remedy)
      .joined(separator: "\n")
  }
}

extension Leak.Objects {
  init(_ objects: LeakedObjects.Class) {
    self.init(className: objects.name, count: objects.count, bytes: objects.bytes)
  }
}

/// Describes why the memory of this process can't be searched for leaks.
public struct LeakDetectionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The reasons for an error. Later versions can add reasons.
  public enum Reason: Equatable, Sendable {
    /// Leaks can only be searched on Linux.
    case unsupportedPlatform
    /// The memory of this process can't be read, for example because little memory is left.
    case unreadable
    /// There wasn't enough time or memory for the search.
    case timedOut
    /// The allocator is a sanitizer's.
    case unknownAllocator
    /// No object was recognized.
    case noObjects
  }

  public let reason: Reason

  init(_ reason: Reason) { self.reason = reason }

  public var description: String {
    switch reason {
    case .unsupportedPlatform: "Leaks can only be searched on Linux."
    case .unreadable: "The memory of this process can't be read safely."
    case .timedOut: "There wasn't enough time or memory for the search. Allow more with 'limit'."
    case .unknownAllocator:
      "The allocator of this process is a sanitizer's, so its objects can't be found."
    case .noObjects:
      "No object of this process was recognized, so it isn't known which ones leaked."
    }
  }
}
