/// A variable of one subscription, for operators that pass events straight on.
///
/// An observer is called serially, so the value needs no guard. A captured `var` would also work,
/// but Swift checks each access to it for overlaps at run time. That check costs more than a whole
/// operator: about 15 ns against 3 ns.
@_fixed_layout @usableFromInline
package final class UncheckedBox<Value> {
  @exclusivity(unchecked) @usableFromInline package var value: Value

  @inlinable
  package init(_ value: Value) {
    self.value = value
  }
}
