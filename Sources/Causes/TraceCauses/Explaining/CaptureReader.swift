import CodeLocations
import HeapGraph
import ProcessMemory
import ReactiveKit
import SwiftRuntime
import SystemLibrary
import TaskInspection
import TraceFormat

/// A reader that describes what the closures on a path capture.
struct CaptureReader {
  /// An object on a path and its reference to the next one. If the object is the context of a
  /// closure, `code` is that of the closure.
  struct Node {
    let object: Heap.Object
    let code: UInt
    let reference: Reference?

    static func nodes(_ steps: [PathStep], first: UInt) -> [Node] {
      var nodes: [Node] = []
      var incoming = Reference(target: steps.first?.object.address ?? 0, code: first)
      for step in steps {
        let code = incoming.target == step.object.address ? incoming.code : 0
        nodes.append(Node(object: step.object, code: code, reference: step.reference))
        incoming = step.reference
      }
      return nodes
    }
  }

  let heap: Heap

  /// Returns what the closure at a node captures that leads to the next step.
  func capture(
    _ node: Node, _ rest: ArraySlice<Node>, _ function: CodeFunction
  ) -> Retention.Step.Capture {
    let name = function.location.function ?? ""
    let captured = captured(node, function)
    var capture = Retention.Step.Capture(.unknown, name: captured?.name)
    guard let type = capturedObject(node, rest) else {
      let box = rest.dropFirst().first.flatMap { isVariable($0) ? $0 : nil }
      if box != nil || captured?.isVariable == true { capture.kind = .variable }
      capture.holdsClosure = box?.reference?.target == node.object.address
      return capture
    }
    capture.type = type
    // A closure that captures only one object uses that object as its context.
    let isDirect = node.object.kind != .closure
    let next = rest.dropFirst().first
    if isDirect || next?.object.kind == .instance {
      capture.kind = isDirect ? .object : way(of: node)
      // A closure that captures only one variable uses the variable's box as its context.
      if capture.kind == .object, captured?.isVariable == true { capture.kind = .variable }
    } else if let next, isVariable(next) {
      capture.kind = .variable
    } else {
      capture.kind = .collection
    }
    if capture.kind == .object, capture.name == "self", !FunctionNames.isMember(name, of: type),
      let value = FunctionNames.valueType(around: function.location)
    {
      capture.kind = .value(value)
    }
    if capture.kind == .object, isDisposable(rest, isDirect: isDirect) {
      capture.kind = .disposable
    }
    capture.identifySelf(in: function, hasWeakCapture: hasWeakCapture(node.object, of: type))
    return capture
  }

  /// Reports whether a captured object is a disposable, which its owner disposes.
  private func isDisposable(_ rest: ArraySlice<Node>, isDirect: Bool) -> Bool {
    guard let node = isDirect ? rest.first : rest.dropFirst().first else { return false }
    return heap.classType(node.object) is any Cancellable.Type
  }

  /// Reports whether a step is the box of a captured variable. The context of a closure is reached
  /// together with its code.
  private func isVariable(_ node: Node) -> Bool {
    switch node.object.kind {
    case .box: true
    case .closure: node.code == 0 || !heap.isCode(node.code)
    default: false
    }
  }

  /// Returns the index of the captured value through which a closure holds the next step.
  private func captureIndex(_ node: Node) -> (index: Int, layout: ClosureLayout)? {
    guard node.object.kind == .closure, let target = node.reference?.target,
      let layout = heap.closureLayout(node.object)
    else { return nil }
    let index = layout.captures.firstIndex { capture in
      if case .notStrong = capture.ownership { return false }
      var reader = ReferenceReader(heap, named: false)
      reader.readValue(
        capture.type, at: node.object.address &+ UInt(capture.offset), name: "")
      return reader.references.contains { $0.target == target }
    }
    return index.map { ($0, layout) }
  }

  /// Returns whether a captured value is an object, or a value that contains one.
  private func way(of node: Node) -> Retention.Step.Capture.Kind {
    guard let (index, layout) = captureIndex(node) else { return .object }
    let type = layout.captures[index].type
    switch type.shape {
    case .fields: return .value(type.name)
    case .cases:
      // An optional object is still the object.
      return type.size == ObjectLayout.reference ? .object : .value(type.name)
    default: return .object
    }
  }

  /// Returns the source description of the captured value through which a closure holds the next
  /// step, or nil if the debug information doesn't contain it.
  private func captured(_ node: Node, _ function: CodeFunction) -> CodeFunction.Parameter? {
    let all = function.parameters
    let parameter: CodeFunction.Parameter?
    if node.object.kind != .closure {
      // If there is only one captured value, it is the last parameter.
      parameter = all.last
    } else if let (index, layout) = captureIndex(node), all.count >= layout.captures.count {
      parameter = all[all.count - layout.captures.count + index]
    } else {
      parameter = nil
    }
    return parameter.flatMap { $0.name.isEmpty || $0.name.hasPrefix("$") ? nil : $0 }
  }

  /// Reports whether a closure captures an object of a class weakly. If so, that is most likely
  /// `self`.
  private func hasWeakCapture(_ closure: Heap.Object, of type: String) -> Bool {
    guard closure.kind == .closure, let layout = heap.closureLayout(closure) else { return false }
    return layout.captures.contains { capture in
      guard capture.type.size == ObjectLayout.reference,
        let word = heap.memory.word(closure.address &+ UInt(capture.offset))
      else { return false }
      if case .notStrong = capture.ownership { return isWeak(word, type) }
      // A captured weak variable has its own box.
      guard let box = heap.object(at: word), box.kind == .closure,
        let inner = heap.closureLayout(box)?.captures.first, case .notStrong = inner.ownership,
        let weak = heap.memory.word(box.address &+ UInt(inner.offset))
      else { return false }
      return isWeak(weak, type)
    }
  }

  /// Reports whether a word may be a weak or unowned reference to an object of a class. The object
  /// may be deallocated. A weak reference is the address of a table that starts with the address of
  /// the object.
  private func isWeak(_ word: UInt, _ type: String) -> Bool {
    let object =
      heap.object(at: word)
      ?? heap.memory.word(word & ~SideTableLayout.alignmentMask)
      .flatMap { heap.object(at: $0) }
    return object.map { heap.className($0) == type } ?? true
  }

  /// Returns the class of the object that a closure retains, directly or through variables and
  /// arrays.
  func capturedObject(_ node: Node, _ rest: ArraySlice<Node>) -> String? {
    // A closure that captures only one object uses that object as its context.
    if node.object.kind != .closure {
      return node.object.kind == .instance ? heap.className(node.object) : nil
    }
    for next in rest.dropFirst() {
      // The object is the context of another closure, unless the word before it isn't code.
      if next.code != 0, heap.isCode(next.code) { return nil }
      switch next.object.kind {
      case .instance: return heap.className(next.object)
      case .closure where !isVariable(next): return nil
      default: continue
      }
    }
    return nil
  }
}
