/// Where extensions that make a type reactive put their members, so that they do not mix with the type's own.
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

/// What `Reactive` conforms to; extend this to give members to a kind of base.
public protocol ReactiveExtensions<Base> {
  associatedtype Base

  var base: Base { get }
}

/// Gives a type the `reactive` namespace.
public protocol ReactiveExtensionsProvider: AnyObject {}

extension ReactiveExtensionsProvider {
  public var reactive: Reactive<Self> { Reactive(self) }

  public static var reactive: Reactive<Self>.Type { Reactive<Self>.self }
}
