/// A column of a list in a pane.
struct ListColumn<Row> {
  let title: String
  let width: Int
  /// Those with a lower one go first where there is not room for all.
  let worth: Int
  var isNumber = true
  let value: (Row) -> String

  /// Those that fit beside something that needs some room; the worthiest `least` stay in any case.
  static func fitting(
    _ columns: [ListColumn], into width: Int, beside room: Int, least: Int = 0
  ) -> [ListColumn] {
    var columns = columns
    while columns.reduce(room, { $0 + $1.width }) > width, columns.count > least,
      let worth = columns.map(\.worth).min()
    {
      columns.removeAll { $0.worth == worth }
    }
    return columns
  }
}
