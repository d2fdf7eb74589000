/// A locator that finds the files in a repository that logs name as `Module/File.swift`. Services
/// use the paths to show findings next to the code.
///
/// A file that is not found, or that matches several files, keeps its name. A finding next to the
/// wrong code is worse than a finding without code.
/// wrong code is worse than a finding without code.
package struct SourceLocator {
  package struct Entry: Equatable, Sendable {
    package let name: String
    package let isDirectory: Bool
  }

  /// The folders that contain no sources, or only copies of them. Folders whose names begin with a
  /// dot are skipped too.
  private static let skipped: Set<String> = [
    "build", "Build", "DerivedData", "Pods", "Carthage", "node_modules", "vendor",
  ]
  /// The maximum number of directories that a search visits.
  private static let maxDirectories = 20_000
  private static let maxLevels = 24

  /// The paths that were found, by the file names of the log.
  private let paths: [String: String]
  /// The paths of the files with equal names, by the file names of the log, if none stands out.
  private let candidates: [String: [String]]
  private let directory: String
  private let repository: String

  /// Locates files.
  ///
  /// - Parameters:
  ///   - files: The names of the files in the logs.
  ///   - directory: The absolute path below which to look for files, or an empty string for no
  ///     search.
  ///   - exists: Reports whether a path exists.
  ///   - list: Returns the contents of a directory.
  package init(
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
    var candidates: [String: [String]] = [:]
    for file in files {
      let parts = SourceLocator.components(file)
      guard let name = parts.last, let all = found[name] else { continue }
      paths[file] = SourceLocator.best(parts.dropLast().last, all)
      if paths[file] == nil { candidates[file] = all.map { $0.joined(separator: "/") } }
    }
    self.paths = paths
    self.candidates = candidates
  }

  /// Returns the paths of the files that a source file of a log may be, below the directory of the
  /// search. It is empty if the file was found, or if no file has its name.
  package func candidates(ofSource file: String) -> [String] { candidates[file] ?? [] }

  /// Returns the path of a source file from the root of the repository.
  package func path(ofSource file: String) -> String {
    guard let path = paths[file] else { return SourceLocator.tidy(file[...]) }
    return self.path(ofFile: path)
  }

  /// Returns the path of a source file from the root of the file system, or `nil` if it was not
  /// found.
  package func absolutePath(ofSource file: String) -> String? {
    paths[file].map { $0.hasPrefix("/") || directory.isEmpty ? $0 : directory + "/" + $0 }
  }

  /// Returns the path of a file from the root of the repository. A path outside the repository
  /// loses its leading slash and `..` components, because a path in a report is always relative.
  package func path(ofFile path: String) -> String {
    let whole = path.hasPrefix("/") || directory.isEmpty ? path : directory + "/" + path
    let absolute = SourceLocator.tidy(whole[...])
    let root = SourceLocator.tidy(repository[...]) + "/"
    return absolute.hasPrefix(root) ? String(absolute.dropFirst(root.count)) : absolute
  }

  // MARK: Choosing

  /// Returns the candidate that most likely belongs to a module, or `nil` if no candidate stands
  /// out.
  private static func best(_ module: String?, _ candidates: [[String]]) -> String? {
    let ranked = candidates.map { (rank: rank($0.dropLast(), module), parts: $0) }
    guard let rank = ranked.map(\.rank).min() else { return nil }
    let first = ranked.filter { $0.rank == rank }.map(\.parts)
    // If several candidates belong to the module, those farther down the tree are copies.
    let minCount = first.map(\.count).min() ?? 0
    let nearest = rank < maxRank ? first.filter { $0.count == minCount } : first
    return nearest.count == 1 ? nearest.first?.joined(separator: "/") : nil
  }

  /// The rank of a file outside the folders of a module.
  private static let maxRank = 8

  /// Returns how well the folders of a file fit a module. Lower is better. A folder can have the
  /// name of its module in another notation: `LeakyScreens` for `leaky_screens`.
  private static func rank(_ folders: ArraySlice<String>, _ module: String?) -> Int {
    guard let module else { return maxRank }
    let names = folders.map(identifier)
    let exact = names.lastIndex(of: identifier(module))
    let other = names.lastIndex { letters($0) == letters(module) }
    guard let index = exact ?? other else { return maxRank }
    let isBelowSources = index > 0 && names[index - 1] == "Sources"
    let isDirect = index == names.count - 1
    return (isDirect ? 0 : 2) + (isBelowSources ? 0 : 1) + (exact == nil ? 4 : 0)
  }

  /// Returns the letters and digits of a name in lowercase.
  private static func letters(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// Returns the name of a folder as a module name: `trace-viewer` becomes `trace_viewer`.
  private static func identifier(_ name: String) -> String {
    String(name.map { $0 == "-" || $0 == " " || $0 == "." ? "_" : $0 })
  }

  // MARK: Searching

  /// Visits all files level by level, in the same order on every machine.
  private static func walk(
    _ directory: String, _ list: (String) -> [Entry], _ visit: ([String]) -> Void
  ) {
    var level: [[String]] = [[]]
    var directories = 0
    for _ in 0..<maxLevels {
      var next: [[String]] = []
      for parts in level {
        directories += 1
        guard directories <= maxDirectories else { return }
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

  /// Returns the nearest enclosing directory that is a repository, or the directory itself.
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

  /// Returns a relative path without empty, `.` and `..` components.
  private static func tidy(_ path: Substring) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.isEmpty ? "unknown" : parts.joined(separator: "/")
  }
}
