/// A namespace for extensions that make a type reactive. It keeps their members separate from the
/// type's own members.
///
///     extension ReactiveExtensions where Base: Label {
///       var text: Bond<String> { ... }
///     }
///     label.reactive.text
public struct Reactive<Base>: ReactiveExtensions {
  public let base: Base

  public init(_ base: Base) {
    self.base = base
  }
}

/// The protocol that `Reactive` conforms to. Extend this protocol to add members for a kind of
/// base.
public protocol ReactiveExtensions<Base> {
  associatedtype Base

  var base: Base { get }
}

/// A class with the `reactive` namespace.
public protocol ReactiveExtensionsProvider: AnyObject {}

extension ReactiveExtensionsProvider {
  public var reactive: Reactive<Self> { Reactive(self) }

  public static var reactive: Reactive<Self>.Type { Reactive<Self>.self }
}
