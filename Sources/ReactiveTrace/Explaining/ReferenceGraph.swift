import ReactiveKit

/// The strong references between objects, as they matter for the question who keeps a subscription
/// alive.
///
/// Two kinds of references within the library say nothing about that and are left out:
///
/// - Everything downstream knows its own chain, to ask whether it is disposed. A subject holds its
///   observers, and the chain of each observer holds the subject. So every active subscription is on
///   a cycle of its own, which ends with the subscription.
/// - A chain that is attached to a subject keeps only its own observer alive, not those of others.
final class ReferenceGraph {
  let heap: Heap
  private let chainType = address(of: ChainDisposable.self)
  private let sinks = ["Subscribers.Sink<", "Subscribers.Accumulator<", "Subscribers.Assign<"]
  private let entryType = address(of: ObserverEntry.self)
  private let registryType = address(of: ObserverRegistry.self)
  private var roles: [UInt: Role] = [:]
  private var lists: [UInt: Bool] = [:]
  private var users: [UInt: Bool] = [:]
  private var ofRecorder: [UInt: Bool] = [:]
  /// The metadata of classes, with whether they are Foundation's timer.
  var timers: [UInt: Bool] = [:]

  init(_ heap: Heap) { self.heap = heap }

  static func address(of type: Any.Type) -> UInt {
    UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self))
  }

  /// The part that the objects of a class play.
  enum Role {
    case user
    case chain
    /// An object of the library through which a chain is ended, or a chain is held.
    case upstream
    /// The stay of an observer at a shared signal. It holds the connection, which is not only its own.
    case visit
    /// Any other object of the library.
    case downstream
    case registry
    case entry
    /// The buffer of an `AsyncStream`. What sends to it holds it, and it ends with the one who reads.
    case stream
    /// A subscriber of the library. It holds its own subscription.
    case subscriber
  }

  func role(of object: Heap.Object) -> Role {
    switch object.kind {
    case .instance: break
    case .closure, .box: return .downstream
    default: return .user
    }
    if let known = roles[object.metadata] { return known }
    let role = findRole(object.metadata)
    roles[object.metadata] = role
    return role
  }

  private func findRole(_ metadata: UInt) -> Role {
    if metadata == chainType { return .chain }
    var ancestor = metadata
    while ancestor != 0 {
      if ancestor == registryType { return .registry }
      if ancestor == entryType { return .entry }
      ancestor = Metadata.load(ancestor &+ 8, as: UInt.self)
    }
    let name = String(reflecting: Metadata.type(at: metadata))
    if name.hasPrefix("Swift.Async"), name.hasSuffix("._Storage") { return .stream }
    guard name.hasPrefix("ReactiveKit.") || name.hasPrefix("ReactiveTrace.") else { return .user }
    if sinks.contains(where: { name.hasPrefix("ReactiveKit." + $0) }) { return .subscriber }
    if name.hasSuffix(".Visit") { return .visit }
    let upstream = ["ChainSlot", "ChainGroup", "ObserverCounter", "ProducedDisposable"]
    return upstream.contains { name.hasSuffix("." + $0) } ? .upstream : .downstream
  }

  private var known: [UInt: [Reference]] = [:]

  /// Returns the references of an object that keep something alive.
  func references(from object: Heap.Object, named: Bool = false) -> [Reference] {
    if !named, let known = known[object.address] { return known }
    let references = find(object, named)
    if !named, known.count < 1 << 17 { known[object.address] = references }
    return references
  }

  private func find(_ object: Heap.Object, _ named: Bool) -> [Reference] {
    // The recorder holds what it needs to know. It keeps no subscription alive.
    if isOfRecorder(object) { return [] }
    let all = heap.references(from: object, named: named)
    switch role(of: object) {
    case .user, .stream, .subscriber:
      return object.kind == .array && isListOfAttachments(object)
        ? all.filter { !isRegistry($0.target) } : all
    case .chain:
      return all.filter { !isRegistry($0.target) }
        + attachments(all).filter { isRegistry($0.target) }.flatMap { reference in
          heap.object(at: reference.target).map { entries(of: object.address, in: $0) } ?? []
        }
    case .upstream, .visit, .registry:
      return all
    case .downstream, .entry:
      return all.filter { reference in
        guard reference.type != chainType else { return false }
        guard let target = heap.object(at: reference.target) else { return true }
        switch role(of: target) {
        case .chain: return reference.isCertain
        case .stream, .subscriber: return object.kind != .closure
        // An operator that joins signals knows the chains upstream, to end them.
        case .upstream: return false
        default: return true
        }
      }
    }
  }

  /// Returns the references of a chain with those in the list of its attachments.
  private func attachments(_ references: [Reference]) -> [Reference] {
    references.flatMap { reference -> [Reference] in
      guard let list = heap.object(at: reference.target), list.kind == .array else {
        return [reference]
      }
      return heap.references(from: list)
    }
  }

  /// Reports whether an object is of a class of the user, and not of this library, the standard
  /// library or Foundation.
  func isOfUser(_ object: Heap.Object) -> Bool {
    guard object.kind == .instance, role(of: object) == .user else { return false }
    if let known = users[object.metadata] { return known }
    let name = String(reflecting: Metadata.type(at: object.metadata))
    let module = name.prefix { $0 != "." }
    let isUser = !Self.systemModules.contains(String(module))
    users[object.metadata] = isUser
    return isUser
  }

  private static let systemModules: Set<String> = [
    "Swift", "_Concurrency", "Foundation", "FoundationEssentials", "FoundationNetworking",
    "Dispatch", "Observation", "Synchronization",
  ]

  private func isRegistry(_ address: UInt) -> Bool {
    heap.object(at: address).map { role(of: $0) == .registry } ?? false
  }

  private func isListOfAttachments(_ array: Heap.Object) -> Bool {
    if let known = lists[array.metadata] { return known }
    let element = heap.types.argument(0, ofClass: array.metadata)
    let isList = element.map {
      String(reflecting: $0.type) == "ReactiveKit.ChainDisposable.Attachment"
    }
    lists[array.metadata] = isList ?? false
    return isList ?? false
  }

  /// Reports whether an object belongs to the recorder, or is a list of its objects.
  func isOfRecorder(_ object: Heap.Object) -> Bool {
    switch object.kind {
    case .instance, .array, .dictionary, .set: break
    default: return false
    }
    if let known = ofRecorder[object.metadata] { return known }
    let name = String(reflecting: Metadata.type(at: object.metadata))
    let isOfRecorder: Bool
    if object.kind == .instance {
      let type = name.prefix { $0 != "<" }.split(separator: ".").last ?? ""
      isOfRecorder = name.hasPrefix(Self.module) && !Self.traced.contains(type)
    } else {
      // The lists of the search itself, which know all addresses.
      isOfRecorder = name.contains(Self.module)
    }
    ofRecorder[object.metadata] = isOfRecorder
    return isOfRecorder
  }

  private static let module = "ReactiveTrace."
  /// The classes of traced signals. They hold what the user gave them.
  private static let traced: Set<Substring> = [
    "TracedIteration", "Probe", "Observation", "Watcher",
  ]

  /// The references to entries by the object that an entry refers to, for each table of a subject.
  private var tables: [UInt: [UInt: [Reference]]] = [:]

  /// Returns references to the entries of a chain in the table of a subject.
  func entries(of chain: UInt, in registry: Heap.Object) -> [Reference] {
    // A subject may have very many observers, each with a chain of its own.
    if let known = tables[registry.address] { return known[chain] ?? [] }
    var table: [UInt: [Reference]] = [:]
    for reference in heap.references(from: registry) {
      guard let entry = heap.object(at: reference.target), role(of: entry) == .entry else {
        continue
      }
      for target in Set(heap.references(from: entry).map(\.target)) {
        table[target, default: []].append(reference)
      }
    }
    tables[registry.address] = table
    return table[chain] ?? []
  }

  /// Returns the chain of an entry in the table of a subject.
  func chain(of entry: Heap.Object) -> UInt? {
    heap.references(from: entry).first { $0.type == chainType }?.target
  }

  /// Returns the chain that keeps an entry in the table of a subject, unless it is disposed.
  func holder(ofEntry entry: Heap.Object) -> Heap.Object? {
    guard role(of: entry) == .entry, let address = chain(of: entry),
      let chain = heap.object(at: address), isChain(chain),
      references(from: chain).contains(where: { $0.target == entry.address })
    else { return nil }
    return chain
  }

  /// Returns the tables of subjects that have an entry, with their references to it.
  func registries(ofEntry entry: Heap.Object) -> [(registry: Heap.Object, reference: Reference)] {
    guard role(of: entry) == .entry, let address = chain(of: entry),
      let chain = heap.object(at: address), isChain(chain)
    else { return [] }
    return attachments(heap.references(from: chain)).compactMap { attachment in
      guard let registry = heap.object(at: attachment.target), role(of: registry) == .registry,
        let reference = entries(of: address, in: registry).first(where: {
          $0.target == entry.address
        })
      else { return nil }
      return (registry, reference)
    }
  }

  func isChain(_ object: Heap.Object) -> Bool { object.metadata == chainType }
}
