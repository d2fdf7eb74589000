import CodeLocations
package import SystemLibrary
package import TraceFormat

extension Retention.Step {
  /// Creates the step of a closure with what is known about its function.
  package init(closure function: CodeFunction, capture: Capture) {
    let name = function.location.function ?? ""
    let source = function.location.source
    let nested = FunctionNames.nestedFunction(name)
    let isMethod = FunctionNames.isMethodReference(name)
    let closure = Closure(
      isMethod ? .methodReference : nested != nil ? .nestedFunction : .closure,
      function: nested ?? (source == nil ? FunctionNames.around(name) : nil),
      code: source == nil ? function.offset : nil, capture: capture)
    self.init(.closure(closure), site: source, column: function.location.column)
  }
}

extension Retention.Step.Capture {
  /// Finds out whether a captured object of a known class is `self`.
  ///
  /// - Parameters:
  ///   - function: The function of the closure.
  ///   - hasWeakCapture: Whether the closure also captures an object of the class weakly, which is
  ///     most likely `self`.
  package mutating func identifySelf(
    in function: CodeFunction, hasWeakCapture: @autoclosure () -> Bool = false
  ) {
    guard kind == .object, let type else { return }
    let code = function.location.function ?? ""
    let isMember = FunctionNames.isMember(code, of: type)
    if FunctionNames.isMethodReference(code) {
      // In a method, the compiler names the captured object `self`, regardless of which object it
      // is.
      isSelf = isMember
      name = nil
    } else if let name {
      isSelf = name == "self"
    } else {
      let names = function.parameters
      let mayBeSelf = names.isEmpty || names.contains { $0.name == "self" }
      isSelf = mayBeSelf && isMember && !hasWeakCapture()
    }
  }
}
