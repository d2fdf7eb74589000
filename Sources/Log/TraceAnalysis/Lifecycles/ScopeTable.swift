package import TraceFormat

/// A part of the program's run that the user gave a name.
package struct LogScope: Equatable, Sendable {
  package let number: UInt64
  fileprivate var firstName: String?
  /// The name that the scope got later, which is in the record of its end.
  fileprivate var laterName: String?
  /// The number of the scope around it, if there is one.
  package internal(set) var outer: UInt64?
  /// A Boolean value that indicates whether the scope is a test.
  package internal(set) var isTest = false
  /// The declaration of a test, such as `ShopTests/CartTests.swift:8`, if it is known.
  package internal(set) var source: String?
  /// The time at which the scope began; `nil` if it began before the part that was read.
  package internal(set) var begin: Nanoseconds?
  /// The time at which the scope ended; `nil` while it is active.
  package internal(set) var end: Nanoseconds?
  /// The index of the log in `LogAnalysis.logs`.
  package internal(set) var log = 0

  package var name: String? { laterName ?? firstName }
}

/// The scopes of a log, by number.
struct ScopeTable: Sendable {
  private(set) var scopes: [LogScope] = []
  private var indices: [UInt64: Int] = [:]

  mutating func begin(_ record: TraceRecord.ScopeBegin, at time: Nanoseconds) {
    let index = index(of: record.number)
    var scope = LogScope(number: record.number)
    scope.firstName = record.name?.string
    scope.outer = record.outer
    scope.isTest = record.kind == .test
    scope.source = record.source?.string
    scope.begin = time
    begin(scope, index)
  }

  /// Notes the beginning of a scope, unless it is known.
  private mutating func begin(_ scope: LogScope, _ index: Int) {
    guard scopes[index].begin == nil else { return }
    let known = scopes[index]
    scopes[index] = scope
    guard known.end != nil else { return }
    (scopes[index].end, scopes[index].laterName) = (known.end, known.laterName)
  }

  mutating func end(_ number: UInt64, at time: Nanoseconds, name: String? = nil) {
    let index = index(of: number)
    guard scopes[index].end == nil else { return }
    (scopes[index].end, scopes[index].laterName) = (time, name)
  }

  mutating func append(_ next: ScopeTable) {
    for scope in next.scopes {
      if scope.begin != nil { begin(scope, index(of: scope.number)) }
      if let end = scope.end { self.end(scope.number, at: end, name: scope.laterName) }
    }
  }

  private mutating func index(of number: UInt64) -> Int {
    if let known = indices[number] { return known }
    indices[number] = scopes.count
    scopes.append(LogScope(number: number))
    return scopes.count - 1
  }
}
