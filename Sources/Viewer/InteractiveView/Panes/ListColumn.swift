/// A column of a list in a pane.
struct ListColumn<Row> {
  var title: String
  /// The name of the column in messages, if the title is not enough.
  var name: String?
  let width: Int
  /// The priority of the column. Columns with a lower one are dropped first if there is not enough
  /// room.
  let worth: Int
  var isNumber = true
  /// Returns the value by which the rows are sorted, the highest first; `nil` if they are not
  /// sorted by this column.
  var rank: ((Row) -> UInt64)?
  let value: (Row) -> String

  /// Returns the columns that fit next to content of a given width. The `minCount` columns with the
  /// highest priority always stay.
  static func fitting(
    _ columns: [ListColumn], into width: Int, nextTo room: Int, minCount: Int = 0
  ) -> [ListColumn] {
    var columns = columns
    while columns.reduce(room, { $0 + $1.width }) > width, columns.count > minCount,
      let worth = columns.map(\.worth).min()
    {
      columns.removeAll { $0.worth == worth }
    }
    return columns
  }
}
