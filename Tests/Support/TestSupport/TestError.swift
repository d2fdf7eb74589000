/// The error that `!` stands for in a marble string.
package struct TestError: Error, Hashable {
  package let name: String

  package init(_ name: String = "failed") {
    self.name = name
  }
}
