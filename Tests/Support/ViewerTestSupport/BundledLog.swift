import Foundation
import TestSupport

/// The logs in the repository.
package enum BundledLog {
  /// The path of the log of a search field whose requests leak, as the sample program wrote it.
  package static let leak = PackageFolder.url.appending(path: "Samples/Logs/search-leak.jsonl").path
}
