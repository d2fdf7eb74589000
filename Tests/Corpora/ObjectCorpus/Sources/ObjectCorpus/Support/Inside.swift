#if INSIDE
  import Foundation
  import LeakDetection

  /// A search of the program by itself.
  enum Inside {
    private struct Finding: Encodable {
      let steps: [String]
      let sources: [String]
      let isProbable: Bool
      let objects: [String: Int]

      init(_ leak: Leak) {
        steps = leak.steps.map(\.name)
        sources = leak.steps.compactMap(\.source)
        isProbable = leak.isProbable
        objects = Dictionary(
          (leak.members + leak.held).map { ($0.className, $0.count) }, uniquingKeysWith: +)
      }
    }

    /// Prints the leaks, one JSON object in a line.
    static func printLeaks() {
      do {
        let leaks = try LeakDetector.leaks(limit: .seconds(60))
        for leak in leaks {
          print(String(decoding: try JSONEncoder().encode(Finding(leak)), as: UTF8.self))
        }
        print("searched")
      } catch {
        print("\(error)")
      }
    }
  }
#endif
