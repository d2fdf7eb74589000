import Dispatch
import Foundation
import ReactiveKit

/// The results of a search: `File.swift:12` for each line that contains the query.
struct SearchResults: Sendable {
  var query: String
  var lines: [String] = []
  var problem: SearchError?
}

/// The reason why a search failed.
enum SearchError: Error, CustomStringConvertible {
  case tooShort
  case tookTooLong
  case unreadable(String)

  /// True if another attempt may succeed, because an editor may be writing the file.
  var isTemporary: Bool {
    if case .unreadable = self { return true }
    return false
  }

  var description: String {
    switch self {
    case .tooShort: "type two letters or more"
    case .tookTooLong: "the search took too long"
    case .unreadable(let file): "\(file) cannot be read"
    }
  }
}

/// The Swift files below a folder. Every search reads them again.
final class SourceIndex: Sendable {
  let files: [String]

  private let queue = DispatchQueue(label: "search", attributes: .concurrent)

  init(folder: String) throws(ArgumentError) {
    guard let walk = FileManager.default.enumerator(atPath: folder) else {
      throw ArgumentError(
        message:
          "The folder '\(folder)' doesn't exist. Run this from the package, or name a folder.")
    }
    files = walk.compactMap { $0 as? String }
      .filter { $0.hasSuffix(".swift") }
      .map { "\(folder)/\($0)" }
      .sorted()
    if files.isEmpty {
      throw ArgumentError(
        message:
          "'\(folder)' doesn't contain Swift files. Run this from the package, or name a "
          + "folder.")
    }
  }

  /// Reads all files on a background thread, and sends the lines that contain the query. A search
  /// that is disposed stops at the next file.
  func search(_ query: String) -> Signal<SearchResults, SearchError> {
    guard query.count >= 2 else { return .failed(.tooShort) }
    return Signal { [files, queue] observer in
      queue.async {
        var results = SearchResults(query: query)
        for file in files {
          guard !observer.isDisposed else { return }
          guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            return observer.receive(completion: .failure(.unreadable(file)))
          }
          results.lines += Self.lines(of: text, in: file, holding: query)
        }
        observer.receive(lastElement: results)
      }
      return NonDisposable.instance
    }
  }

  /// Calls `body` on the main queue when no search is running.
  func whenIdle(_ body: @escaping @MainActor () -> Void) {
    queue.async(flags: .barrier) {
      DispatchQueue.main.async { MainActor.assumeIsolated { body() } }
    }
  }

  private static func lines(of text: String, in file: String, holding query: String) -> [String] {
    let name = file.split(separator: "/").last ?? ""
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .filter { $0.element.localizedCaseInsensitiveContains(query) }
      .map { "\(name):\($0.offset + 1)" }
  }
}
