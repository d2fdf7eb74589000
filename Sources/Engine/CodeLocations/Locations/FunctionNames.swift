import SwiftRuntime
package import SystemLibrary

/// Functions that parse demangled function names for closures, methods and the types around them.
package enum FunctionNames {
  /// Reports whether a method is used as a closure. The compiler makes an implicit closure for it,
  /// in another one that gets the instance. An autoclosure is only one implicit closure.
  package static func isMethodReference(_ function: String) -> Bool {
    function.hasPrefix(implicitClosure) && function.contains(" in \(implicitClosure)")
  }

  private static let implicitClosure = "implicit closure"

  /// Reports whether a function is the closure that `assign(to:on:)` makes.
  package static func isAssignment(_ function: String) -> Bool {
    function.hasPrefix("closure") && function.contains("assign") && function.hasSuffix("(to:on:)")
  }

  /// Reports whether a function makes a continuation for its caller.
  private static func makesContinuation(_ function: String) -> Bool {
    ["withChecked", "withUnsafe"].contains { function.hasPrefix($0) }
      && function.contains("Continuation")
  }

  /// Returns whether the user's code waits for a continuation, or nil if none of its code is among
  /// the functions. A stream waits for its own continuation, which doesn't count.
  ///
  /// - Parameter stack: The functions in which a task waits, innermost first.
  package static func waitForContinuation(_ stack: [CodeFunction?]) -> Bool? {
    let inner = stack.prefix { $0?.location.source == nil }
    guard inner.count < stack.count else { return nil }
    return stack[inner.count]?.origin == .user
      && inner.allSatisfy { makesContinuation($0?.location.function ?? "") }
  }

  /// Returns the name of a function inside another one that is used as a closure: `update` for
  /// `update #1 (_:) in Screen.open()`.
  package static func nestedFunction(_ function: String) -> String? {
    let words = function.split(separator: " ")
    guard words.count > 2, words[1].hasPrefix("#"), words[0] != "closure", words.contains("in")
    else { return nil }
    return String(words[0].prefix { $0 != "(" })
  }

  /// Returns the function around a closure, without the closures in between. For a method that is
  /// used as a closure, returns the method with its labels: `open(_:)`.
  package static func around(_ name: String) -> String {
    let parts = name.split(separator: " ")
    let outermost = parts.lastIndex(of: "in").map { parts[($0 + 1)...] } ?? parts[...]
    let function = outermost.joined(separator: " ")
    let path = function.prefix { $0 != "(" }
    guard isMethodReference(name) else { return String(path) }
    let method = path.split(separator: ".").last ?? path
    return "\(method)\(function.dropFirst(path.count))"
  }

  /// Returns whether the function of a closure is a method of a type, so that the object of that
  /// type is most likely `self`.
  package static func isMember(_ function: String, of type: String) -> Bool {
    guard !function.split(separator: " ").contains("static") else { return false }
    let type = type.prefix { $0 != "<" }
    return function.split(separator: " ").contains { word in
      var path = word.prefix { $0 != "(" }.split(separator: ".").map { $0.prefix { $0 != "<" } }
      if let last = path.last, accessors.contains(last) { path.removeLast() }
      return path.dropLast().last == type
    }
  }

  private static let accessors: Set<Substring> = [
    "getter", "setter", "modify", "read", "willset", "didset",
  ]

  /// Returns the structure or enumeration with the method that contains a closure, if the runtime
  /// finds it by name. Its `self` is a value.
  package static func valueType(around location: CodeLocation) -> String? {
    guard let function = location.function,
      let module = location.source?.split(separator: "/").first
    else { return nil }
    let method = function.split(separator: " ").last { $0.contains(".") } ?? ""
    let path = method.prefix { $0 != "(" }.split(separator: ".").dropLast()
    guard path.count == 1, let type = path.first else { return nil }
    return MangledName.isValueType(type, in: module) ? String(type) : nil
  }
}
