import CodeLocations
import HeapGraph
import ReactiveKit
import SwiftRuntime

/// ReactiveKit's description of its own types.
struct SignalTypes: LibraryTypes {
  func storedValues(of type: Any.Type) -> [LibraryField] {
    (type as? any StoresValues.Type)?.storedValues.map {
      LibraryField($0.field, $0.type, isAfterLock: $0.isLocked)
    } ?? []
  }

  func table(of type: Any.Type) -> ReferenceTable? {
    typealias Layout = ObserverTableLayout
    guard type == Layout.type else { return nil }
    return ReferenceTable(
      slots: Layout.slots, count: Layout.count, slotSize: Layout.slotSize,
      reference: Layout.entry)
  }
}

/// The roles that the objects of signals play in keeping a subscription alive.
///
/// Two kinds of references within the library are irrelevant for that and omitted:
///
/// - Everything downstream references its own chain, to check whether it is disposed. A subject
///   retains its observers, and the chain of each observer retains the subject. So every active
///   subscription is on its own cycle, which ends with the subscription.
/// - A chain that is attached to a subject keeps only its own observer alive, not those of others.
final class SignalObjects: LibraryObjects {
  typealias Role = ObjectRole

  private let heap: Heap
  private let chainType = Metadata.address(of: ChainDisposable.self)
  private var roles: [UInt: Role] = [:]
  private var lists: [UInt: Bool] = [:]
  private var books: [UInt: Bool] = [:]
  private var streamParts: [UInt: StreamPart] = [:]
  /// For each table of a subject, the references to its entries, by the object that an entry refers
  /// to.
  private var tables: [UInt: [UInt: [Reference]]] = [:]

  init(_ heap: Heap) { self.heap = heap }

  func role(of object: Heap.Object) -> Role {
    switch object.kind {
    case .instance: break
    case .closure, .box: return .downstream
    default: return .other
    }
    if let known = roles[object.metadata] { return known }
    let role = findRole(Metadata.type(at: object.metadata))
    roles[object.metadata] = role
    return role
  }

  private func findRole(_ type: Any.Type) -> Role {
    if let known = type as? any PlaysRole.Type { return known.objectRole }
    if StreamLayout.isStreamStorage(type) { return .stream }
    return Self.modules.contains(SystemModules.module(of: type)) ? .downstream : .other
  }

  /// The modules whose objects are part of signals, unless their classes declare another role.
  private static let modules = OwnModules.ofRecorder.union(StreamModules.names)
    .union(["ReactiveKit"])

  func isChain(_ object: Heap.Object) -> Bool { object.metadata == chainType }

  func isOfLibrary(_ object: Heap.Object) -> Bool { role(of: object) != .other }

  func retaining(_ all: [Reference], of object: Heap.Object) -> [Reference] {
    switch role(of: object) {
    case .other, .stream, .subscriber:
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
        if isPublisher(target), [.other, .handle].contains(streamPart(object)) { return false }
        switch role(of: target) {
        case .chain: return reference.isCertain
        case .stream, .subscriber: return object.kind != .closure
        // An operator that joins signals references the chains upstream, to end them.
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

  private func isRegistry(_ address: UInt) -> Bool {
    heap.object(at: address).map { role(of: $0) == .registry } ?? false
  }

  private func isListOfAttachments(_ array: Heap.Object) -> Bool {
    if let known = lists[array.metadata] { return known }
    let element = heap.types.argument(0, ofClass: array.metadata)
    let isList = element?.type == ChainDisposable.attachmentType
    lists[array.metadata] = isList
    return isList
  }

  // MARK: Objects of other libraries of streams

  // There, a subscription has no chain. It references its subject or shared publisher, to leave it,
  // and through that all other subscriptions. So these references are omitted, too.

  func isPublisher(_ object: Heap.Object) -> Bool { streamPart(object) == .publisher }

  func isHandle(_ object: Heap.Object) -> Bool { streamPart(object) == .handle }

  /// A Boolean value that indicates whether a publisher was found so far.
  var hasPublishers: Bool { streamParts.values.contains(.publisher) }

  private enum StreamPart {
    case publisher, handle, other
    /// The object doesn't belong to such a library.
    case none
  }

  private static let publishers: Set<String> = [
    "CurrentValueSubject", "Future", "Multicast", "PassthroughSubject", "PublishedSubject", "Share",
  ]

  private func streamPart(_ object: Heap.Object) -> StreamPart {
    guard object.kind == .instance else { return .none }
    if let known = streamParts[object.metadata] { return known }
    let module = SystemModules.module(of: Metadata.type(at: object.metadata))
    var part = StreamPart.none
    if StreamModules.names.contains(module) {
      let name = heap.className(object).map { String($0.prefix { $0 != "<" }) }
      part = name.map(Self.publishers.contains) == true ? .publisher : .other
      if name == "AnyCancellable" { part = .handle }
    }
    streamParts[object.metadata] = part
    return part
  }

  // MARK: The recorder's own objects

  func isBookkeeping(_ object: Heap.Object) -> Bool {
    switch object.kind {
    case .instance, .array, .dictionary, .set: break
    default: return false
    }
    if let known = books[object.metadata] { return known }
    let type = Metadata.type(at: object.metadata)
    let isBookkeeping: Bool
    if object.kind == .instance {
      isBookkeeping =
        OwnModules.ofRecorder.contains(SystemModules.module(of: type))
        && !(type is any PlaysRole.Type)
    } else {
      // The lists of the search itself contain all addresses.
      let name = String(reflecting: type)
      isBookkeeping = OwnModules.ofRecorder.contains { name.contains($0 + ".") }
    }
    books[object.metadata] = isBookkeeping
    return isBookkeeping
  }

  // MARK: Observers of subjects

  /// Returns references to the entries of a chain in the table of a subject.
  private func entries(of chain: UInt, in registry: Heap.Object) -> [Reference] {
    // A subject may have very many observers, each with its own chain.
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
  private func chain(of entry: Heap.Object) -> Heap.Object? {
    heap.references(from: entry).first { $0.type == chainType }
      .flatMap { heap.object(at: $0.target) }.flatMap { isChain($0) ? $0 : nil }
  }

  /// Returns the chain that keeps an entry in the table of a subject, unless it is disposed.
  func holder(ofRegistered object: Heap.Object) -> Heap.Object? {
    guard role(of: object) == .entry, let chain = chain(of: object),
      retaining(heap.references(from: chain), of: chain).contains(where: {
        $0.target == object.address
      })
    else { return nil }
    return chain
  }

  func registries(of object: Heap.Object) -> [(registry: Heap.Object, reference: Reference)] {
    guard role(of: object) == .entry, let chain = chain(of: object) else { return [] }
    return attachments(heap.references(from: chain)).compactMap { attachment in
      guard let registry = heap.object(at: attachment.target), role(of: registry) == .registry,
        let reference = entries(of: chain.address, in: registry).first(where: {
          $0.target == object.address
        })
      else { return nil }
      return (registry, reference)
    }
  }
}

extension Heap {
  /// Creates the heap of a process that uses ReactiveKit.
  convenience init?(followsDispatch: Bool = true) {
    self.init(library: SignalTypes(), followsDispatch: followsDispatch)
  }
}

extension ReferenceGraph {
  /// Creates the graph of a process that uses ReactiveKit.
  convenience init(_ heap: Heap) { self.init(heap, library: SignalObjects(heap)) }
}
