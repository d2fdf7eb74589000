import CodeLocations
import HeapGraph
import ReactiveKit
import SwiftRuntime
import TraceFormat

/// A field of an object, as it is declared in the source.
struct SourceField {
  /// The path to the field, such as `state.handlers`. It ends at the first type of a library.
  let name: String
  /// The type of the field, if the reference is directly in it.
  private let type: RuntimeType?
  /// A Boolean value that indicates whether the field is an element of a tuple, which can't be
  /// weak.
  private let isInTuple: Bool

  /// Finds the field that a path leads to, with one name for each part (see `Reference.name`).
  init(_ path: String, of object: Heap.Object, _ heap: Heap) {
    let parts = path.split(separator: ".").map(String.init)
    var names: [String] = []
    var fields = heap.types.fields(ofClass: object.metadata) ?? []
    var type: RuntimeType?
    var isInTuple = false
    for (index, part) in parts.enumerated() {
      let name = part.prefix { $0 != "[" }
      names.append(Self.sourceName(part))
      guard let field = fields.first(where: { $0.name == name }) else {
        names += parts[(index + 1)...].map(Self.sourceName)
        type = nil
        break
      }
      isInTuple = isInTuple || type?.isTuple ?? false
      type = field.type
      let inner = field.type.wrapped ?? field.type
      guard case .fields(let next) = inner.shape, !inner.isOfLibrary else { break }
      fields = next
    }
    self.type = type
    self.isInTuple = isInTuple
    self.name = names.joined(separator: ".")
  }

  /// Returns a part of a path without the compiler's additions to the names of lazy variables.
  static func sourceName(_ part: String) -> String {
    let lazy = "$__lazy_storage_$_"
    return part.hasPrefix(lazy) ? String(part.dropFirst(lazy.count)) : part
  }

  /// The declared type, if it is a collection: `[Screen]`.
  var collection: String? {
    guard let type, (type.wrapped ?? type).isCollection else { return nil }
    return type.sourceName
  }

  /// Reports whether disposables of a class are disposed when they are deallocated.
  private static func disposesItself(_ type: any Cancellable.Type) -> Bool {
    type is DisposeBag.Type || type is AnyCancellable.Type || type is DeinitDisposable.Type
  }

  /// Reports whether an object is the `AnyCancellable` of Combine or OpenCombine.
  private static func isForeignCancellable(_ object: Heap.Object, _ heap: Heap) -> Bool {
    guard object.kind == .instance, heap.className(object) == "AnyCancellable",
      let type = heap.classType(object)
    else { return false }
    return StreamModules.names.contains(SystemModules.module(of: type))
  }

  /// Returns how the field holds an object.
  func holding(_ target: Heap.Object?, _ heap: Heap) -> Retention.Step.Field.Holding {
    guard let type, !name.contains("[") else { return .other }
    let inner = type.wrapped ?? type
    if inner.isCollection { return inner.name.hasSuffix("<AnyCancellable>") ? .bag : .collection }
    if let target, Self.isForeignCancellable(target, heap) { return .bag }
    if let target, target.kind == .instance,
      let disposable = heap.classType(target) as? any Cancellable.Type
    {
      return Self.disposesItself(disposable) ? .bag : .disposable
    }
    guard case .reference = inner.shape, let target, target.kind == .instance,
      !RuntimeType.isOfLibrary(heap.classType(target))
    else { return .other }
    if isInTuple { return type.wrapped == nil ? .other : .optional }
    return type.wrapped == nil ? .reference : .optionalReference
  }
}

extension RuntimeType {
  /// The type that an optional wraps, or nil if this isn't an optional.
  var wrapped: RuntimeType? {
    guard case .cases(let payloads) = shape, name.hasPrefix("Optional<") else { return nil }
    return payloads.lazy.compactMap(\.self).first?.type
  }

  var isTuple: Bool { Metadata.kind(at: address) == Metadata.Kind.tuple }

  var isCollection: Bool {
    ["Array<", "ContiguousArray<", "ArraySlice<", "Dictionary<", "Set<"].contains {
      name.hasPrefix($0)
    }
  }

  /// A Boolean value that indicates whether the type belongs to the system or to this package.
  var isOfLibrary: Bool { Self.isOfLibrary(type) }

  static func isOfLibrary(_ type: Any.Type?) -> Bool {
    guard let type else { return false }
    return SystemModules.contain(type)
      || ["ReactiveKit", "ReactiveTrace"].contains(SystemModules.module(of: type))
      || StreamModules.names.contains(SystemModules.module(of: type))
  }

  /// The name as users write it: `[String: Screen]?`.
  var sourceName: String { Self.sourceName(name[...]) }

  private static func sourceName(_ name: Substring) -> String {
    guard let open = name.firstIndex(of: "<"), name.hasSuffix(">") else { return String(name) }
    let arguments = arguments(name[name.index(after: open)...].dropLast()).map(sourceName)
    switch (name[..<open], arguments.count) {
    case ("Optional", 1): return "\(arguments[0])?"
    case ("Array", 1): return "[\(arguments[0])]"
    case ("Dictionary", 2): return "[\(arguments[0]): \(arguments[1])]"
    default: return "\(name[..<open])<\(arguments.joined(separator: ", "))>"
    }
  }

  /// Returns the parts of a list of generic arguments.
  private static func arguments(_ list: Substring) -> [Substring] {
    var parts: [Substring] = []
    var depth = 0
    var start = list.startIndex
    var last: Character?
    for index in list.indices {
      switch list[index] {
      case "<", "(", "[": depth += 1
      case ")", "]": depth -= 1
      // The arrow of a function ends in the same character.
      case ">" where last != "-": depth -= 1
      case "," where depth == 0:
        parts.append(list[start..<index])
        start = list.index(after: index)
        if start < list.endIndex, list[start] == " " { start = list.index(after: start) }
      default: break
      }
      last = list[index]
    }
    return parts + [list[start...]]
  }
}
