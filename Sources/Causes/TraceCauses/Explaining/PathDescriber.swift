import CodeLocations
import HeapGraph
import ReactiveKit
import SwiftRuntime
import SystemLibrary
import TaskInspection
import TraceFormat

/// A translator of an explainer's answers into the facts that a user recognizes.
///
/// Objects of the library and of the standard library aren't separate steps. A bag, the array in
/// it, the chain, the subject and the observers between them are one step: the subscription. The
/// step of a user's object names the field that leads to the next step.
struct PathDescriber {
  private typealias Node = CaptureReader.Node
  private typealias Step = Retention.Step

  private let explainer: Explainer
  private let captures: CaptureReader
  private let functions: [UInt: CodeFunction]
  private let variables: [UInt: VariableNames.Variable]
  private var heap: Heap { explainer.heap }

  /// Looks up all names that the answers need, in one pass.
  init(
    _ explainer: Explainer, _ answers: [Explainer.Answer], _ functions: CauseSearch.FunctionNames
  ) {
    self.explainer = explainer
    captures = CaptureReader(heap: explainer.heap)
    var codes: Set<UInt> = []
    var addresses: [UInt] = []
    for answer in answers {
      for step in answer.steps where step.reference.code != 0 { codes.insert(step.reference.code) }
      if answer.startCode != 0 { codes.insert(answer.startCode) }
      switch answer.kind {
      case .path(.variable(let address)): addresses.append(address)
      case .path(.task(let task)):
        codes.formUnion(explainer.heap.resumeAddresses(ofTask: task))
      default: break
      }
      for step in answer.steps where step.object.kind == .task {
        codes.formUnion(explainer.heap.resumeAddresses(ofTask: step.object))
      }
    }
    self.functions = functions(codes.filter(explainer.heap.isCode).sorted())
    variables = VariableNames(explainer.heap.map).variables(at: addresses) {
      explainer.isInTime
    }
  }

  /// Reports whether a cycle has only objects of the library. For example, such a cycle retains the
  /// code that waits for the target of a binding to be deallocated. So the cycle isn't the reason
  /// why the subscription is alive.
  func isOnlyOfLibrary(_ answer: Explainer.Answer) -> Bool {
    guard case .cycle(let tail) = answer.kind else { return false }
    let cycle = Array(answer.steps.dropLast(tail))
    let first = tail > 0 ? cycle.last?.reference.code ?? 0 : answer.startCode
    let codes = [first] + cycle.map(\.reference.code)
    let mayBeOfUser = codes.contains { code in
      functions[code].map { $0.origin == .user } ?? heap.isCode(code)
    }
    return !mayBeOfUser && steps(Node.nodes(cycle, first: first)).allSatisfy { !$0.isOfUser }
  }

  /// Returns the facts of the answer for a subscription, a task or an object.
  func retention(
    _ answer: Explainer.Answer, of subscription: SearchedSubscription
  ) -> Retention {
    var retention =
      switch answer.kind {
      case .cycle(let tail): cycle(answer, tail: tail, subscription)
      case .path(let root): path(answer, root, subscription)
      case .nothing: nothing(answer, subscription)
      }
    retention.subject = subscription.subject
    // Only a subscription has a disposable.
    if subscription.subject == .object { retention.owner = nil }
    return retention
  }

  /// Returns the facts if no holder was found, except for the code that asks.
  private func nothing(
    _ answer: Explainer.Answer, _ target: SearchedSubscription
  ) -> Retention {
    guard answer.isHeldByCaller else {
      return Retention(
        kind: .none, owner: answer.hasOwner == false ? .nobody : nil, limit: limit(answer))
    }
    return .ofCaller([finalStep(target)], limit: limit(answer))
  }

  private func cycle(
    _ answer: Explainer.Answer, tail: Int, _ searched: SearchedSubscription
  ) -> Retention {
    let target = finalStep(searched)
    let count = answer.steps.count - tail
    // The capture of the last step is the first step, unless the subscription is between them.
    let returns = tail > 0 || searched.subject == .object
    let first = returns ? answer.steps[count - 1].reference.code : answer.startCode
    let links = Node.nodes(Array(answer.steps[..<count]), first: first)
    var cycle = steps(links, returns: returns)
    if !cycle.contains(where: \.isOfUser) {
      cycle = steps(links, returns: returns, unknownCode: true)
    }
    if returns, tail == 0 {
      // The object itself is usually a step: the property that leads to the next one.
      if !hasOwnStep(searched) { cycle.append(target) }
    } else if tail == 0 {
      // The search may have found the subscription's chain at the start.
      cycle.removeAll { $0.kind == target.kind }
      cycle.append(target)
    } else if cycle.isEmpty {
      cycle.append(target)
    }
    // The step to break comes first.
    if let first = cycle.firstIndex(where: \.isCode), first > 0, returns {
      cycle = Array(cycle[first...] + cycle[..<first])
    }
    var rest = tail > 0 ? steps(Node.nodes(Array(answer.steps[count...]), first: 0)) : []
    if tail > 0 { rest += finalClosure(answer.steps, searched) + [target] }
    return Retention(
      kind: .cycle, isProbable: answer.isProbable, steps: cycle + rest, tail: rest.count,
      breakIndex: Retention.stepToBreak(cycle), owner: owner(answer))
  }

  /// Reports whether the object that is searched for is a step of its own cycle.
  private func hasOwnStep(_ searched: SearchedSubscription) -> Bool {
    heap.object(at: searched.chain).map(explainer.graph.isOfUser) ?? false
  }

  /// Returns the closure that captures only the object that is searched for. Its context is the
  /// object itself.
  private func finalClosure(_ steps: [PathStep], _ searched: SearchedSubscription) -> [Step] {
    guard searched.subject == .object, let last = steps.last?.reference, last.code != 0,
      let object = heap.object(at: searched.chain), last.target == object.address
    else { return [] }
    let node = Node(object: object, code: last.code, reference: nil)
    return closureStep(node, [node], false).map { [$0] } ?? []
  }

  private func path(
    _ answer: Explainer.Answer, _ root: HolderSearch.Root, _ searched: SearchedSubscription
  ) -> Retention {
    let target = finalStep(searched)
    // If a Task holds the subscription, it is the first object of the path.
    let isNamed = answer.steps.first?.object.kind == .task
    // The search may have found the subscription's chain on the path to its source.
    let middle =
      steps(Node.nodes(answer.steps, first: 0)).filter { $0.kind != target.kind }
      + finalClosure(answer.steps, searched)
    if case .caller = root { return .ofCaller(middle + [target], limit: limit(answer)) }
    let isOfThread = middle.first?.kind == .threadDictionary && isOfSystem(root)
    let first =
      isNamed || isOfThread
      ? nil : isRunningThread(answer, root) ? Step(.runningThread) : rootStep(root)
    let all = [first].compactMap(\.self) + middle + [target]
    let isComplete = first != nil || isNamed || isOfThread
    return Retention(
      kind: .path, isProbable: answer.isProbable || isDoubtful(root), steps: all,
      owner: owner(answer, root), limit: isComplete ? nil : limit(answer))
  }

  /// Reports whether a root is a Foundation thread that runs a block. Such a thread retains itself.
  private func isRunningThread(_ answer: Explainer.Answer, _ root: HolderSearch.Root) -> Bool {
    guard case .thread = root, let object = answer.steps.first?.object else { return false }
    return heap.className(object) == "Thread"
  }

  private func finalStep(_ subscription: SearchedSubscription) -> Step {
    switch subscription.subject {
    case .subscription:
      Step(
        .subscription(
          SubscriptionID(UInt64(subscription.id)), lane: laneName(of: subscription)))
    case .task: Step(.task(holds: nil, waitsForContinuation: false))
    case .object: Step(.object(subscription.lane))
    }
  }

  /// Returns the lane of a subscription. Without a lane, returns the file and line of the
  /// observation.
  private func laneName(of subscription: SearchedSubscription) -> String {
    guard let location = subscription.location?() else { return subscription.lane }
    let file = location.source?.split(separator: "/").last.map(String.init)
    return file ?? location.function ?? subscription.lane
  }

  // MARK: Steps

  /// Returns the steps that a user recognizes.
  ///
  /// - Parameters:
  ///   - returns: Whether the last node leads back to the first one.
  ///   - unknownCode: Whether to name closures without a symbol that capture no object of the user.
  ///     Most of them belong to a library.
  private func steps(
    _ nodes: [Node], returns: Bool = false, unknownCode: Bool = false
  ) -> [Step] {
    var named: [Step] = []
    let all = returns ? nodes + nodes : nodes
    for (index, node) in nodes.enumerated() {
      let rest = all[index..<(returns ? index + nodes.count : nodes.count)]
      let closure =
        node.code == 0 ? nil : closureStep(node, rest, unknownCode)
      for var step in [closure, objectStep(node, rest)].compactMap(\.self) {
        if node.reference?.isCertain == false { step.strength = .possible }
        named.append(step)
      }
    }
    return named
  }

  /// Returns the step of an object, or nil if users don't recognize the object.
  private func objectStep(_ node: Node, _ rest: ArraySlice<Node>) -> Step? {
    if node.object.kind == .task { return taskStep(node.object, rest) }
    if explainer.graph.isOfUser(node.object) { return fieldStep(node, rest) }
    if let subscription = explainer.subscriptions[node.object.address] {
      return rest.count > 1 ? finalStep(subscription) : nil
    }
    return isThreadDictionary(node, next: rest.dropFirst().first) ? Step(.threadDictionary) : nil
  }

  /// Reports whether an object is a thread that retains its dictionary.
  private func isThreadDictionary(_ node: Node, next: Node?) -> Bool {
    heap.className(node.object) == "Thread"
      && next.flatMap { heap.className($0.object) } == "NSMutableDictionary"
  }

  /// Returns the step of a closure of the user, or of the closure that the library makes for
  /// `assign`.
  private func closureStep(
    _ node: Node, _ rest: ArraySlice<Node>, _ unknownCode: Bool
  ) -> Step? {
    guard let function = functions[node.code] else { return nil }
    guard function.origin == .user else {
      guard FunctionNames.isAssignment(function.location.function ?? ""),
        let type = captures.capturedObject(node, rest)
      else { return nil }
      return Step(.assignment(captures: type))
    }
    let capture = captures.capture(node, rest, function)
    let isUnknown = function.location.source == nil && function.offset != nil
    if isUnknown, capture.type == nil, !unknownCode { return nil }
    return Step(closure: function, capture: capture)
  }

  private func fieldStep(_ node: Node, _ rest: ArraySlice<Node>) -> Step {
    let type = heap.className(node.object) ?? "object"
    let target = node.reference?.target ?? 0
    let named = explainer.graph.references(from: node.object, named: true)
    let path = named.first { $0.target == target }?.name ?? ""
    let field = SourceField(path, of: node.object, heap)
    // The macro for observable classes adds a field.
    if path.hasPrefix("_$observationRegistrar") {
      return Step(.field(Step.Field(type, nil, .type("ObservationRegistrar"), .other)))
    }
    let name = field.name.isEmpty ? nil : field.name
    if let reference = node.reference, reference.code != 0, heap.isCode(reference.code) {
      return Step(.field(Step.Field(type, name, .other(.closure), .closure)))
    }
    let object = heap.object(at: target)
    let content: Step.Field.Content =
      field.collection.map { .type($0) } ?? object.map(content) ?? .other(.unknown)
    return Step(.field(Step.Field(type, name, content, field.holding(object, heap))))
  }

  /// Returns the type of an object as a user would write it.
  private func content(_ object: Heap.Object) -> Step.Field.Content {
    func argument(_ index: Int) -> String {
      heap.types.argument(index, ofClass: object.metadata)?.name ?? "?"
    }
    switch object.kind {
    case .array: return .type("[\(argument(0))]")
    case .dictionary: return .type("[\(argument(0)): \(argument(1))]")
    case .set: return .type("Set<\(argument(0))>")
    // The code of a closure is stored next to its context. Here, it isn't available.
    case .box, .errorBox, .closure: return .other(.box)
    case .task: return .other(.task)
    case .block: return .other(.block)
    case .dispatch: return .other(.dispatchObject)
    case .instance:
      if explainer.objects.role(of: object) == .chain { return .other(.disposable) }
      return heap.className(object).map { .type($0) } ?? .other(.unknown)
    }
  }

  /// Returns the step of a Task. It names the innermost line of the user's code that awaits.
  private func taskStep(_ task: Heap.Object, _ rest: ArraySlice<Node>) -> Step {
    let location = ownFrame(of: task)?.location
    let next = rest.dropFirst().first { explainer.graph.isOfUser($0.object) }
      .flatMap { heap.className($0.object) }
    return Step(
      .task(holds: next, waitsForContinuation: waitsForContinuation(task)),
      site: location?.source, column: location?.column)
  }

  /// Returns the innermost function of a Task that is in the user's code.
  private func ownFrame(of task: Heap.Object) -> CodeFunction? {
    heap.resumeAddresses(ofTask: task).lazy.compactMap { functions[$0] }
      .first { $0.origin == .user && $0.location.source != nil }
  }

  /// Reports whether the user's code waits for a continuation.
  private func waitsForContinuation(_ task: Heap.Object) -> Bool {
    guard heap.waitsForContinuation(task) else { return false }
    return FunctionNames.waitForContinuation(
      heap.resumeAddresses(ofTask: task).map { functions[$0] }) ?? false
  }

  // MARK: Roots

  private func rootStep(_ root: HolderSearch.Root) -> Step? {
    switch root {
    case .variable(let address): Step(.variable(variable(at: address)))
    case .stack, .caller: Step(.localVariable)
    case .task(let task): taskStep(task, [])
    case .waiting(let object): Step(Self.waiting(object, heap))
    case .thread: Step(.threadValue)
    case .nothing: nil
    }
  }

  private func variable(at address: UInt) -> Step.Variable {
    guard let variable = variables[address] else { return Step.Variable(.unknown) }
    if let library = variable.library.flatMap(Self.systemLibrary) {
      return Step.Variable(.library, variable.name, library: library)
    }
    return Step.Variable(
      variable.isStatic ? .staticMember : .global, variable.name, library: variable.library)
  }

  /// Returns the name of a system library from its file name, such as `Foundation`.
  private static func systemLibrary(_ file: String) -> String? {
    let name = file.prefix { $0 != "." }
    if name.hasPrefix("libFoundation") || name.hasPrefix("lib_Foundation") { return "Foundation" }
    if name == "libdispatch" { return "Dispatch" }
    if name == "libswiftCore" { return "the Swift standard library" }
    if name.hasPrefix("libswift") { return String(name.dropFirst(8).drop { $0 == "_" }) }
    return ["libc", "libm", "libstdc++", "libpthread"].contains(name) ? "the C library" : nil
  }

  /// Returns the step of an object that retains itself while it waits.
  static func waiting(_ object: Heap.Object, _ heap: Heap) -> Retention.Step.Kind {
    switch object.kind {
    case .dispatch(.queue):
      let label = heap.dispatch?.label(ofQueue: object.address) ?? ""
      let kind: Step.Queue.Kind =
        heap.dispatch?.isMainQueue(object.address) == true
        ? .main : label.hasPrefix("com.apple.root.") ? .global : .labeled(label)
      return .queue(
        Step.Queue(kind, isSuspended: heap.dispatch?.isSuspended(object.address) ?? false))
    case .dispatch(.group): return .group
    case .dispatch: return .delay
    case .block: return .block
    default: return .timer
    }
  }

  /// Reports whether a root is a variable with content other than references. Stale bytes of an
  /// earlier address in its padding, or in an optional that is nil, look like a reference.
  private func isDoubtful(_ root: HolderSearch.Root) -> Bool {
    if case .variable(let address) = root {
      variables[address]?.mayHavePadding ?? false
    } else {
      false
    }
  }

  /// Reports whether a root is a variable of a library, or belongs to a thread. In a static
  /// program, all variables are in the same file.
  private func isOfSystem(_ root: HolderSearch.Root) -> Bool {
    switch root {
    case .variable(let address):
      variables[address].map { $0.library != nil || $0.name == "Thread._mainThread" } ?? false
    case .thread: true
    default: false
    }
  }

  // MARK: Owners and limits

  /// Returns what can dispose the subscription.
  private func owner(
    _ answer: Explainer.Answer, _ root: HolderSearch.Root? = nil
  ) -> Retention.Owner? {
    if answer.hasOwner == false { return .nobody }
    if case .task? = root { return .task }
    if answer.steps.contains(where: { $0.object.kind == .task }) { return .task }
    let names = answer.steps.compactMap { heap.className($0.object) }
    return names.reversed().lazy.compactMap { Self.containers[$0] }.first
  }

  /// The classes of objects that users store disposables in.
  private static let containers: [String: Retention.Owner] = [
    "DisposeBag": .bag, "AnyCancellable": .cancellable, "SerialDisposable": .serial,
    "CompositeDisposable": .composite, "DeinitDisposable": .deinitializing,
  ]

  private func limit(_ answer: Explainer.Answer) -> Retention.Limit {
    answer.searchedBytes.map { .searched(bytes: $0) } ?? .time
  }
}
