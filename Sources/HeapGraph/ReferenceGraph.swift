import SwiftRuntime

/// What a library knows about its own objects.
package protocol LibraryObjects: AnyObject {
  /// Returns the references of an object that keep something alive, of all that it has.
  func retaining(_ references: [Reference], of object: Heap.Object) -> [Reference]
  /// Returns whether an object is the library's and not the user's.
  func isOfLibrary(_ object: Heap.Object) -> Bool
  /// Returns whether an object only keeps the books about others. It keeps nothing alive.
  func isBookkeeping(_ object: Heap.Object) -> Bool
  /// Returns what keeps an object alive that is registered with another one, instead of all that
  /// reference it.
  func holder(ofRegistered object: Heap.Object) -> Heap.Object?
  /// Returns the objects with which an object is registered, with their references to it.
  func registries(of object: Heap.Object) -> [(registry: Heap.Object, reference: Reference)]
}

/// The strong references between objects that determine what keeps an object alive.
package final class ReferenceGraph {
  package let heap: Heap
  private let library: any LibraryObjects
  private var users: [UInt: Bool] = [:]
  private var known: [UInt: [Reference]] = [:]
  /// The metadata of classes, with whether they are Foundation's timer.
  var timers: [UInt: Bool] = [:]

  package init(_ heap: Heap, library: any LibraryObjects) {
    self.heap = heap
    self.library = library
  }

  /// Returns the references of an object that keep something alive.
  package func references(from object: Heap.Object, named: Bool = false) -> [Reference] {
    if !named, let known = known[object.address] { return known }
    let references =
      isBookkeeping(object)
      ? [] : library.retaining(heap.references(from: object, named: named), of: object)
    if !named, known.count < 1 << 17 { known[object.address] = references }
    return references
  }

  /// Returns whether an object is of a class of the user, and not of a library.
  package func isOfUser(_ object: Heap.Object) -> Bool {
    guard object.kind == .instance, !library.isOfLibrary(object) else { return false }
    if let known = users[object.metadata] { return known }
    let isUser = !SystemModules.contain(Metadata.type(at: object.metadata))
    users[object.metadata] = isUser
    return isUser
  }

  func isBookkeeping(_ object: Heap.Object) -> Bool { library.isBookkeeping(object) }

  func holder(ofRegistered object: Heap.Object) -> Heap.Object? {
    library.holder(ofRegistered: object)
  }

  func registries(of object: Heap.Object) -> [(registry: Heap.Object, reference: Reference)] {
    library.registries(of: object)
  }
}
