import LeakDetection
import ReactiveTrace

/// A value that contains itself, so that its description does, too.
private indirect enum Outline {
  case item(AnyObject)
  case list([Outline], Outline)
}

private final class OutlineTitle {}

private final class OutlineDocument {
  var outline = Outline.item(OutlineTitle())
}

extension LostObjects {
  /// Explains an object many times, and prints the cycles that the searches left behind.
  static func searchAfterExplaining() {
    let document = OutlineDocument()
    for _ in 0..<20 { _ = Trace.explain(document) }
    do {
      Modes.report("\(try LeakDetector.leaks(limit: .seconds(60)).map(\.className))\n")
    } catch {
      Modes.report("\(error)\n")
    }
  }
}
