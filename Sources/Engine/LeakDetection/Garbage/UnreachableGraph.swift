import CRuntime.Heap
import HeapGraph
import ProcessMemory
import SwiftRuntime

/// The objects that nothing can reach, with the references between them.
///
/// A node is an object, or a block with unknown content that a node leads to, such as the memory of
/// a task. A reference is a word with the exact address of another node, unless the word is known
/// to be something else.
final class UnreachableGraph {
  struct Node {
    /// The address of the block, with all bits inverted. In a search of this process, an address in
    /// memory that is used again later would hide the object from the next search.
    fileprivate let hiddenAddress: UInt
    let size: Int
    /// Nil for memory that doesn't begin with an object.
    var type: ObjectTypes.Description? { box?.type }
    /// The type, shared by the objects of a class.
    fileprivate let box: TypeBox?
    /// The number of strong references according to the object, or nil if unknown.
    let retainCount: Int?
    /// The word with the counts, or 0 for memory that doesn't begin with an object.
    fileprivate let counts: UInt
    /// The frame in which a task resumes, or 0.
    fileprivate let resumeContext: UInt
    /// The range of the node's references in `edges`.
    fileprivate(set) var edges = 0..<0
    /// The number of references from other nodes, or from itself.
    fileprivate(set) var incoming = 0
    /// The number of those that are words in the frames of tasks.
    fileprivate(set) var incomingFromFrames = 0

    /// The address of the block.
    var address: UInt { ~hiddenAddress }
  }

  struct Edge {
    let target: Int
    /// The offset of the word in the node.
    let offset: Int
    /// The address of the code, if the word is the context of a closure.
    let code: UInt
    /// A Boolean value that indicates whether the type of the field says that it is a reference.
    let isCertain: Bool
  }

  /// A description that many nodes share, because it is large.
  fileprivate final class TypeBox {
    let type: ObjectTypes.Description

    init(_ type: ObjectTypes.Description) { self.type = type }
  }

  private(set) var nodes: [Node] = []
  private(set) var edges: [Edge] = []
  /// A Boolean value that indicates whether some objects or references were left out, because there
  /// are too many. Then an object without a known holder can have one.
  private(set) var isCut = false
  private let blocks: HeapBlocks
  private let types: ObjectTypes
  private let metadata: MetadataReader
  /// The nodes by their hidden addresses.
  private var indices: [UInt: Int] = [:]
  /// The types by the first words of objects.
  private var boxes: [UInt: TypeBox] = [:]
  /// The tasks by the slabs that belong to them.
  private var tasks: [Int: Int] = [:]

  /// The maximum number of nodes. A program whose leaks are larger has enough of them to see.
  private static let maxNodes = 1 << 20
  /// The maximum number of bytes of one node that are read.
  private static let maxBytes = 1 << 28

  init(
    _ blocks: HeapBlocks, _ types: ObjectTypes, _ metadata: MetadataReader,
    isInTime: () -> Bool
  ) {
    self.blocks = blocks
    self.types = types
    self.metadata = metadata
    // What a node leads to is added after it, so that the cycles are whole if time runs out.
    var index = 0
    var next = blocks.nextUnreachable(from: 0)
    while let block = next, isInTime() {
      if blocks.isObject(block), indices[~blocks.range(of: block).lowerBound] == nil {
        guard nodes.count < Self.maxNodes else { break }
        add(block)
      }
      while index < nodes.count, isInTime() {
        readReferences(of: index, isInTime)
        index += 1
      }
      next = blocks.nextUnreachable(from: block + 1)
    }
    if next != nil || !isInTime() { isCut = true }
  }

  /// Adds a node for a block.
  private func add(_ block: Int) {
    let range = blocks.range(of: block)
    let address = range.lowerBound
    indices[~address] = nodes.count
    var box: TypeBox?
    var (counts, resumeContext): (UInt, UInt) = (0, 0)
    if blocks.isObject(block), let first = blocks.memory.word(address) {
      box = self.box(first, ofObject: address)
      counts = blocks.memory.word(address &+ ObjectLayout.referenceCounts) ?? 0
      if box?.type.kind == .task {
        resumeContext = blocks.memory.word(address &+ TaskLayout.resumeContext) ?? 0
      }
    }
    nodes.append(
      Node(
        hiddenAddress: ~address, size: range.count, box: box,
        retainCount: counts == 0 ? nil : retainCount(counts), counts: counts,
        resumeContext: resumeContext))
  }

  private func box(_ first: UInt, ofObject address: UInt) -> TypeBox? {
    if let known = boxes[first] { return known }
    guard let type = types.description(first, ofObject: address) else { return nil }
    let box = TypeBox(type)
    if !type.dependsOnObject { boxes[first] = box }
    return box
  }

  /// Returns the number of strong references to an object, given the word with its counts.
  private func retainCount(_ word: UInt) -> Int? {
    ReferenceCounts(word).strongCount { blocks.memory.word($0) }
  }

  // MARK: References

  private func readReferences(of index: Int, _ isInTime: () -> Bool) {
    let node = nodes[index]
    let first = edges.count
    defer { nodes[index].edges = first..<edges.count }
    if node.type?.isText == true { return }
    let whole = node.type?.wholeSize.map { ($0 + 7) & ~7 } ?? node.size
    let count = min(node.size, whole, Self.maxBytes) / 8
    if min(node.size, whole) > Self.maxBytes { isCut = true }
    let elements = node.type.flatMap { types.elements(node.address, $0) }
    var previous: UInt = 0
    for word in 0..<count {
      guard word & 0xFFFF != 0xFFFF || isInTime() else {
        isCut = true
        break
      }
      guard let value = blocks.memory.word(node.address &+ UInt(word) * 8) else { break }
      defer { previous = value }
      // The metadata and the counts of an object aren't references.
      if node.type != nil, word < 2 { continue }
      let offset = word * 8
      let target = value & ObjectLayout.addressBits
      guard let block = unreachableBlock(at: target), elements?.contain(offset) != false else {
        continue
      }
      if let elements, offset == CollectionLayout.arrayHeader || !elements.contain(offset - 8) {
        previous = 0
      }
      let field = node.type.flatMap { Self.field(at: offset, in: $0) }
      guard mayRetain(offset, of: node, field, elements), !isSideTable(target),
        let found = self.index(of: block, at: target)
      else { continue }
      let code = mayEndFunction(offset, field) ? metadata.code(previous) ?? 0 : 0
      edges.append(
        Edge(
          target: found, offset: offset, code: code,
          isCertain: field?.strength == .strong || code != 0 || isStrong(offset, of: node)))
      nodes[found].incoming += 1
      let owner = node.type?.kind == .task ? index : tasks[index]
      if owner != nil { nodes[found].incomingFromFrames += 1 }
      if let owner, nodes[found].type == nil, blocks.isSlab(block) { tasks[found] = owner }
    }
    if let task = tasks[index] {
      // All slabs of a task are one memory, although their references are inside of each other.
      edges.append(Edge(target: task, offset: 0, code: 0, isCertain: true))
      nodes[task].incoming += 1
    }
  }

  /// Returns the unreachable block that starts at an address.
  private func unreachableBlock(at address: UInt) -> Int? {
    guard address != 0, let block = blocks.block(at: address), blocks.isUsed(block),
      !blocks.isMarked(block)
    else { return nil }
    return block
  }

  /// Returns whether a word of a node can be a strong reference.
  private func mayRetain(
    _ offset: Int, of node: Node, _ field: ObjectTypes.Field?, _ elements: ObjectTypes.Elements?
  ) -> Bool {
    guard !isUnused(offset, of: node, field, elements) else { return false }
    guard let type = node.type else { return true }
    if offset < 64 * 8, type.uncountedCaptures >> UInt64(offset / 8) & 1 != 0 { return false }
    switch field?.strength {
    case .nothing, .pointer: return false
    case .strong, .possible: return field?.mayLead(at: offset) ?? true
    // The space between two fields can have an old word.
    case nil: return type.fields == nil || offset >= type.size
    }
  }

  /// Returns whether a word of a node, which isn't 0, is a strong reference for each value of the
  /// field's type.
  private func isStrong(_ offset: Int, of node: Node) -> Bool {
    node.type?.isStrong(offset, in: node.address, blocks.memory) ?? false
  }

  /// Returns whether a word can be the context of a closure, which comes after its code.
  private func mayEndFunction(_ offset: Int, _ field: ObjectTypes.Field?) -> Bool {
    guard let field else { return true }
    return offset - 8 >= field.offset && (field.form == .closure || field.strength == .possible)
  }

  /// Returns the node of a block, or nil if there are too many nodes.
  private func index(of block: Int, at address: UInt) -> Int? {
    if indices[~address] == nil {
      guard nodes.count < Self.maxNodes else {
        isCut = true
        return nil
      }
      add(block)
    }
    return indices[~address]
  }

  /// Returns whether a block is the side table of an object. Weak references lead to side tables.
  private func isSideTable(_ address: UInt) -> Bool {
    guard let object = blocks.memory.word(address), object != 0, object & 7 == 0,
      let counts = blocks.memory.word(object &+ ObjectLayout.referenceCounts)
    else { return false }
    return ReferenceCounts(counts).sideTable == address
  }

  /// Returns whether a word is in the part of an existential container that its value doesn't use.
  private func isUnused(
    _ offset: Int, of node: Node, _ field: ObjectTypes.Field?, _ elements: ObjectTypes.Elements?
  ) -> Bool {
    var start: Int?
    if let field, field.isContainer {
      start = field.offset
    } else if let elements, elements.areContainers, offset >= elements.start {
      start = offset - (offset - elements.start) % elements.stride
    }
    guard let start, offset - start < ExistentialLayout.inlineSize,
      let used = types.usedBytes(ofContainerAt: node.address &+ UInt(start))
    else { return false }
    return offset - start >= used
  }

  /// Returns the field that contains an offset.
  static func field(
    at offset: Int, in type: ObjectTypes.Description
  ) -> ObjectTypes.Field? {
    type.fields?.first { $0.offset <= offset && offset < $0.offset + $0.size }
  }

  func edges(of node: Int) -> ArraySlice<Edge> { edges[nodes[node].edges] }

  /// Returns whether an object has as many strong references as words of unreachable nodes contain
  /// its address. If it does, each of these words is a reference. Tasks are resumed without a
  /// reference, and memory without an object has no count. Words in frames of tasks can be copies
  /// of a reference.
  func isExplained(_ node: Int) -> Bool {
    guard let type = nodes[node].type, type.kind != .task else { return true }
    let incoming = nodes[node].incoming
    guard let count = nodes[node].retainCount else { return false }
    return incoming - nodes[node].incomingFromFrames <= count && count <= incoming
  }

  /// Returns whether all strong references to the objects of a component come from such objects.
  func isGarbage(_ component: [Int]) -> Bool {
    component.allSatisfy { node in
      blocks.block(at: nodes[node].address).map(blocks.isGarbage) == true
    }
  }

  /// What components have in common whose cycles are described alike.
  struct Shape: Hashable {
    fileprivate struct Member: Hashable {
      let type: ObjectIdentifier
      let isExplained: Bool
      /// The references to members.
      var edges: [Inner] = []
    }

    fileprivate struct Inner: Hashable {
      let target: Int
      let offset: Int
      let code: UInt
      let isCertain: Bool
    }

    /// The maximum number of members. Larger components are rarely alike.
    fileprivate static let maxMembers = 16

    fileprivate var members: [Member] = []
  }

  /// Returns the shape of a component, or nil if its description depends on more than that: on
  /// where a task waits, or on memory without a type.
  func shape(of component: [Int]) -> Shape? {
    guard component.count <= Shape.maxMembers else { return nil }
    var shape = Shape()
    for node in component {
      guard let box = nodes[node].box, box.type.kind != .task, !box.type.dependsOnObject else {
        return nil
      }
      var member = Shape.Member(type: ObjectIdentifier(box), isExplained: isExplained(node))
      for edge in edges(of: node) {
        guard let target = component.firstIndex(of: edge.target) else { continue }
        member.edges.append(
          Shape.Inner(
            target: target, offset: edge.offset, code: edge.code, isCertain: edge.isCertain))
      }
      shape.members.append(member)
    }
    return shape
  }

  /// Returns the links of a component that correspond to those of another one of the same shape.
  func links(of component: [Int], like links: [Link], of other: [Int]) -> [Link] {
    links.compactMap { link in
      guard let number = other.firstIndex(of: link.node),
        let edge = edges(of: component[number]).first(where: { $0.offset == link.edge.offset })
      else { return nil }
      return Link(node: component[number], edge: edge, code: link.code)
    }
  }

  /// The nodes that are contexts of closures: they come after an address of code, or belong to a
  /// Task.
  var contextsOfClosures: Set<Int> {
    var found: Set<Int> = []
    for node in nodes {
      let isOfTask = node.type == nil || node.type?.kind == .task
      for edge in edges[node.edges]
      where (isOfTask || edge.code != 0) && nodes[edge.target].type?.kind == .closure {
        found.insert(edge.target)
      }
    }
    return found
  }

  /// Returns the nodes with references to each of the given nodes.
  func sources(of nodes: Set<Int>) -> [Int: Set<Int>] {
    var sources: [Int: Set<Int>] = [:]
    for source in self.nodes.indices {
      for edge in edges(of: source) where nodes.contains(edge.target) {
        sources[edge.target, default: []].insert(source)
      }
    }
    return sources
  }

  /// The memory whose words can be from an earlier use: objects have its address as a pointer
  /// without a type, or in a structure of C.
  private(set) lazy var foreignMemory: Set<Int> = {
    var found: Set<Int> = []
    var open: [Int] = []
    func add(_ node: Int) {
      if nodes[node].type == nil, found.insert(node).inserted { open.append(node) }
    }
    for node in nodes {
      guard let type = node.type, type.kind == .instance, type.module != Self.dispatch else {
        continue
      }
      for edge in edges[node.edges] where nodes[edge.target].type == nil {
        if Self.field(at: edge.offset, in: type)?.form == .foreign { add(edge.target) }
      }
    }
    while let node = open.popLast() {
      for edge in edges(of: node) { add(edge.target) }
    }
    return found
  }()

  private static let dispatch = "Dispatch"

  // MARK: Processes that run

  /// Returns the components whose objects still have the same counts, and to which the same words
  /// still lead. While threads run, the counts and the references of a search are read at different
  /// times, so that objects in use can look like a cycle.
  func unchanged(_ components: [[Int]]) -> [[Int]] {
    blocks.memory.forgetPages()
    // The component of each node, or -1.
    var numbers = [Int](repeating: -1, count: nodes.count)
    for (number, component) in components.enumerated() {
      for node in component { numbers[node] = number }
    }
    var isChanged = components.map { _ in false }
    for (node, number) in numbers.enumerated() where number >= 0 && nodes[node].counts != 0 {
      let counts = blocks.memory.word(nodes[node].address &+ ObjectLayout.referenceCounts)
      if counts != nodes[node].counts || !waits(node) { isChanged[number] = true }
    }
    for source in nodes.indices {
      for edge in edges(of: source) {
        let number = numbers[edge.target]
        guard number >= 0, !isChanged[number], !isLink(edge, of: source) else { continue }
        let word = blocks.memory.word(nodes[source].address &+ UInt(edge.offset))
        isChanged[number] =
          word.map { $0 & ObjectLayout.addressBits } != nodes[edge.target].address
      }
    }
    return zip(components, isChanged).filter { !$1 }.map(\.0)
  }

  /// Returns whether an edge leads from the memory of a task to the task, without a word for it.
  private func isLink(_ edge: Edge, of source: Int) -> Bool {
    edge.offset == 0 && tasks[source] == edge.target
  }

  /// Returns whether a node isn't a task that runs, or could run, or has run.
  private func waits(_ node: Int) -> Bool {
    guard nodes[node].type?.kind == .task else { return true }
    let address = nodes[node].address
    guard blocks.knowsTasks,
      let status = blocks.memory.word(address &+ TaskLayout.status).map({ TaskStatus($0) })
    else { return false }
    return !status.isRunning && !status.isEnqueued
      && blocks.memory.word(address &+ TaskLayout.resumeContext) == nodes[node].resumeContext
  }

  // MARK: Components

  /// Returns the nodes of each cycle or group of connected cycles with an object.
  func cyclicComponents() -> [[Int]] {
    var components: [[Int]] = []
    var numbers = [Int32](repeating: 0, count: nodes.count)
    var lowest = [Int32](repeating: 0, count: nodes.count)
    var isOpen = [Bool](repeating: false, count: nodes.count)
    var open: [Int] = []
    var next: Int32 = 1
    // The path from the start, with the position of the next reference of each node.
    var path: [(node: Int, edge: Int)] = []
    for start in nodes.indices where numbers[start] == 0 {
      path.append((start, nodes[start].edges.lowerBound))
      while let (node, edge) = path.last {
        if edge == nodes[node].edges.lowerBound, numbers[node] == 0 {
          numbers[node] = next
          lowest[node] = next
          next += 1
          open.append(node)
          isOpen[node] = true
        }
        if edge < nodes[node].edges.upperBound {
          path[path.count - 1].edge += 1
          let target = edges[edge].target
          if numbers[target] == 0 {
            path.append((target, nodes[target].edges.lowerBound))
          } else if isOpen[target] {
            lowest[node] = min(lowest[node], numbers[target])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last?.node { lowest[parent] = min(lowest[parent], lowest[node]) }
        guard lowest[node] == numbers[node] else { continue }
        var component: [Int] = []
        while let last = open.popLast() {
          isOpen[last] = false
          component.append(last)
          if last == node { break }
        }
        let isCycle = component.count > 1 || edges(of: node).contains { $0.target == node }
        if isCycle, component.contains(where: { nodes[$0].type != nil }) {
          components.append(component)
        }
      }
    }
    return components
  }
}
