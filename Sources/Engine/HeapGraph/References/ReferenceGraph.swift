import ProcessMemory
import SwiftRuntime

/// A library's description of its own objects.
package protocol LibraryObjects: AnyObject {
  /// Returns those of an object's references that keep something alive.
  func retaining(_ references: [Reference], of object: Heap.Object) -> [Reference]
  /// Returns whether an object belongs to the library and not to the user.
  func isOfLibrary(_ object: Heap.Object) -> Bool
  /// Returns whether an object only does bookkeeping about others. Such an object doesn't keep
  /// anything alive.
  func isBookkeeping(_ object: Heap.Object) -> Bool
  /// Returns the object that keeps a registered object alive. It replaces everything else that
  /// references the registered object.
  func holder(ofRegistered object: Heap.Object) -> Heap.Object?
  /// Returns the objects that an object is registered with, and their references to it.
  func registries(of object: Heap.Object) -> [(registry: Heap.Object, reference: Reference)]
  /// Returns whether an object is a publisher, which only holds its observers until they leave it.
  func isPublisher(_ object: Heap.Object) -> Bool
  /// Returns whether an object ends a subscription when it is deallocated.
  func isHandle(_ object: Heap.Object) -> Bool
}

/// The strong references between objects that determine what keeps an object alive.
package final class ReferenceGraph {
  package let heap: Heap
  private let library: any LibraryObjects
  private var users: [UInt: Bool] = [:]
  private var known: [UInt: [Reference]] = [:]
  /// Whether a class is Foundation's timer, by the address of its metadata.
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

  /// Returns whether an object's class is the user's, and not a library's.
  package func isOfUser(_ object: Heap.Object) -> Bool {
    guard object.kind == .instance, !library.isOfLibrary(object) else { return false }
    if let known = users[object.metadata] { return known }
    let isUser = !SystemModules.contain(Metadata.type(at: object.metadata))
    users[object.metadata] = isUser
    return isUser
  }

  /// Returns whether a class is the user's, given the address of its metadata.
  package func isOfUser(class metadata: UInt) -> Bool {
    isOfUser(Heap.Object(address: 0, kind: .instance, metadata: metadata))
  }

  func isBookkeeping(_ object: Heap.Object) -> Bool { library.isBookkeeping(object) }

  func holder(ofRegistered object: Heap.Object) -> Heap.Object? {
    library.holder(ofRegistered: object)
  }

  func registries(of object: Heap.Object) -> [(registry: Heap.Object, reference: Reference)] {
    library.registries(of: object)
  }

  package func isPublisher(_ object: Heap.Object) -> Bool { library.isPublisher(object) }

  func isHandle(_ object: Heap.Object) -> Bool { library.isHandle(object) }
}
