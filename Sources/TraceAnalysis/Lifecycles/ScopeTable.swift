package import TraceFormat

/// A part of the program's run that the user gave a name.
package struct LogScope: Equatable, Sendable {
  package let number: UInt64
  package var name: String?
  /// The time at which the scope began; `nil` if that is before the part that was read.
  package internal(set) var begin: Nanoseconds?
  /// The time at which the scope ended; `nil` while it is active.
  package internal(set) var end: Nanoseconds?
  /// The index of the log in `LogAnalysis.logs`.
  package internal(set) var log = 0
}

/// The scopes of a log, by number.
struct ScopeTable: Sendable {
  private(set) var scopes: [LogScope] = []
  private var indices: [UInt64: Int] = [:]

  mutating func begin(_ number: UInt64, name: String?, at time: Nanoseconds) {
    let index = index(of: number)
    scopes[index].name = scopes[index].name ?? name
    scopes[index].begin = scopes[index].begin ?? time
  }

  mutating func end(_ number: UInt64, at time: Nanoseconds) {
    let index = index(of: number)
    scopes[index].end = scopes[index].end ?? time
  }

  mutating func append(_ next: ScopeTable) {
    for scope in next.scopes {
      if let begin = scope.begin { self.begin(scope.number, name: scope.name, at: begin) }
      if let end = scope.end { self.end(scope.number, at: end) }
    }
  }

  private mutating func index(of number: UInt64) -> Int {
    if let known = indices[number] { return known }
    indices[number] = scopes.count
    scopes.append(LogScope(number: number))
    return scopes.count - 1
  }
}
