/// A location in the source.
package struct CodeLocation: Sendable, Equatable {
  /// The file and line, such as `Module/File.swift:42`, or nil if the debug information does not
  /// contain them.
  package let source: String?
  /// The column in that line where the code of the function begins, from 1, or nil if the debug
  /// information doesn't contain it, or if the code begins on a later line.
  package let column: Int?
  package let function: String?
  /// The file and line with the name of the file's folder. This names a lane without a name,
  /// because it stays the same across runs and versions.
  package let folderSource: String?

  package init(source: String?, function: String?) {
    self.init(column: nil, source: source, function: function, folderSource: source)
  }

  package init(column: Int?, source: String?, function: String?, folderSource: String?) {
    self.column = column
    self.source = source
    self.function = function
    self.folderSource = folderSource
  }

  /// A Boolean value that indicates whether the location is in the expansion of a macro.
  package var isOfMacro: Bool { source?.contains("/@__swiftmacro_") == true }

  /// The name of a lane that has no other name.
  package var laneName: String? { folderSource ?? function }
}
