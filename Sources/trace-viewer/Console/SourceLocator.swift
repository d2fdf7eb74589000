import TerminalUI

/// Finds the files that logs name as `Module/File.swift` in a repository, for services that show findings beside the code.
///
/// What is not found, or could be several files, keeps its name: a finding beside the wrong code is worse than one beside none.
struct SourceLocator {
  struct Entry: Equatable, Sendable {
    let name: String
    let isDirectory: Bool
  }

  /// Folders that hold no sources, or copies of them; those whose names begin with a dot are left out too.
  private static let skipped: Set<String> = [
    "build", "Build", "DerivedData", "Pods", "Carthage", "node_modules", "vendor",
  ]
  /// What is looked at before the search ends.
  private static let mostDirectories = 20_000
  private static let mostLevels = 24

  /// By the names of the log.
  private let paths: [String: String]
  private let directory: String
  private let repository: String

  /// - Parameters:
  ///   - files: as logs name them.
  ///   - directory: an absolute path, below which files are looked for; empty for nowhere.
  ///   - exists: whether there is a file of this path.
  ///   - list: what a directory holds.
  init(
    _ files: Set<String>, in directory: String, exists: (String) -> Bool,
    list: (String) -> [Entry] = DirectoryListing.read
  ) {
    self.directory = directory
    repository = SourceLocator.repository(of: directory, exists: exists)
    let names = Set(files.map { SourceLocator.components($0).last ?? "" })
    var found: [String: [[String]]] = [:]
    if !directory.isEmpty, !names.isEmpty {
      SourceLocator.walk(directory, list) { parts in
        guard let name = parts.last, names.contains(name) else { return }
        found[name, default: []].append(parts)
      }
    }
    var paths: [String: String] = [:]
    for file in files {
      let parts = SourceLocator.components(file)
      guard let name = parts.last else { continue }
      paths[file] = SourceLocator.best(parts.dropLast().last, found[name] ?? [])
    }
    self.paths = paths
  }

  /// The path from the root of the repository.
  func path(ofSource file: String) -> String {
    guard let path = paths[file] else { return SourceLocator.tidy(file[...]) }
    return self.path(ofFile: path)
  }

  /// The path from the root of the file system; nil where it was not found.
  func absolutePath(ofSource file: String) -> String? {
    paths[file].map { $0.hasPrefix("/") || directory.isEmpty ? $0 : directory + "/" + $0 }
  }

  /// The same of a file that is named as the file system takes it. What lies outside loses what leads there, because a path of a
  /// report is always relative.
  func path(ofFile path: String) -> String {
    let whole = path.hasPrefix("/") || directory.isEmpty ? path : directory + "/" + path
    let absolute = SourceLocator.tidy(whole[...])
    let root = SourceLocator.tidy(repository[...]) + "/"
    return absolute.hasPrefix(root) ? String(absolute.dropFirst(root.count)) : absolute
  }

  // MARK: Choosing

  /// Of the files of one name, the one that most likely is that of a module; nil where nothing speaks for one of them.
  private static func best(_ module: String?, _ candidates: [[String]]) -> String? {
    let ranked = candidates.map { (rank: rank($0.dropLast(), module), parts: $0) }
    guard let rank = ranked.map(\.rank).min() else { return nil }
    let first = ranked.filter { $0.rank == rank }.map(\.parts)
    // The nearest of those of one module; the others are copies.
    let least = first.map(\.count).min() ?? 0
    let nearest = rank < 4 ? first.filter { $0.count == least } : first
    return nearest.count == 1 ? nearest.first?.joined(separator: "/") : nil
  }

  /// How well the folders of a file fit a module; the lower the better.
  private static func rank(_ folders: ArraySlice<String>, _ module: String?) -> Int {
    guard let module = module.map(identifier) else { return 4 }
    let names = folders.map(identifier)
    guard let place = names.lastIndex(of: module) else { return 4 }
    let isBelowSources = place > 0 && names[place - 1] == "Sources"
    let isDirect = place == names.count - 1
    return (isDirect ? 0 : 2) + (isBelowSources ? 0 : 1)
  }

  /// A folder's name as the name of a module: `trace-viewer` is `trace_viewer`.
  private static func identifier(_ name: String) -> String {
    String(name.map { $0 == "-" || $0 == " " || $0 == "." ? "_" : $0 })
  }

  // MARK: Looking

  /// Goes over all files, level by level, in the same order on every machine.
  private static func walk(
    _ directory: String, _ list: (String) -> [Entry], _ visit: ([String]) -> Void
  ) {
    var level: [[String]] = [[]]
    var directories = 0
    for _ in 0..<mostLevels {
      var next: [[String]] = []
      for parts in level {
        directories += 1
        guard directories <= mostDirectories else { return }
        let path = ([directory] + parts).joined(separator: "/")
        for entry in list(path).sorted(by: { $0.name < $1.name }) {
          if !entry.isDirectory {
            visit(parts + [entry.name])
          } else if !entry.name.hasPrefix("."), !skipped.contains(entry.name) {
            next.append(parts + [entry.name])
          }
        }
      }
      level = next
    }
  }

  /// The nearest directory above that is a repository, or the directory itself.
  private static func repository(of directory: String, exists: (String) -> Bool) -> String {
    var current = components(directory)
    while !current.isEmpty {
      let path = "/" + current.joined(separator: "/")
      if exists(path + "/.git") { return path }
      current.removeLast()
    }
    return directory
  }

  private static func components(_ path: String) -> [String] {
    path.split(separator: "/").map(String.init)
  }

  /// A relative path without steps that lead nowhere or out of it.
  private static func tidy(_ path: Substring) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.isEmpty ? "unknown" : parts.joined(separator: "/")
  }
}
