import ReactiveKit

#if os(Linux) && canImport(Runtime)
  import Runtime
#endif

/// A place in the source.
package struct CodeLocation: Sendable, Equatable {
  /// `Module/File.swift:42`.
  package let source: String
  package let function: String?
}

/// A call stack that can be turned into places in the source, as long as the process lives.
struct StackTrace: Sendable {
  #if os(Linux) && canImport(Runtime)
    private let backtrace: Backtrace?

    static func capture() -> StackTrace {
      StackTrace(
        backtrace: try? Backtrace.capture(
          algorithm: .fast, limit: 24, offset: 1, top: 0, images: images))
    }

    /// Read once, and what they say of a call under a lock: while one thread looks at the files of the images, another must
    /// not unmap them.
    private static let images = ImageMap.capture()
    private static let reading = Locked(())

    /// The innermost call that is not one of this package's: some milliseconds the first time.
    var location: CodeLocation? {
      let symbols = Self.reading.withLock { _ in backtrace?.symbolicated(with: Self.images) }
      guard let frames = symbols?.frames else { return nil }
      for frame in frames {
        guard let symbol = frame.symbol, let place = symbol.sourceLocation, place.line > 0,
          !isOurs(place.path)
        else { continue }
        let parts = place.path.split(separator: "/").suffix(2)
        return CodeLocation(
          source: "\(parts.joined(separator: "/")):\(place.line)", function: function(symbol.name))
      }
      return nil
    }

    /// Without what the optimiser says about it.
    private func function(_ name: String) -> String {
      let words = ["specialized ", "generic specialization ", "merged "]
      return words.reduce(name) { $0.hasPrefix($1) ? String($0.dropFirst($1.count)) : $0 }
    }

    private func isOurs(_ path: String) -> Bool {
      path.contains("/Sources/ReactiveKit/") || path.contains("/Sources/ReactiveTrace/")
        || path.contains("<compiler-generated>")
    }
  #else
    static func capture() -> StackTrace { StackTrace() }

    /// Nothing here turns addresses into places.
    var location: CodeLocation? { nil }
  #endif
}
