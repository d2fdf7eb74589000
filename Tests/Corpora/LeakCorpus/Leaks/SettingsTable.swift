import ReactiveKit

extension LeakCase {
  static let settingsTable = cycle(
    "struct-in-array", lanes: ["settings.changes"],
    path: ["SettingsTable.rows"], also: ["SettingsRow.table", "SettingsTable.bag"],
    .now {
      let table = SettingsTable()
      table.open()
      Preferences.changes.send("volume")
      return table
    })
}

enum Preferences {
  static let changes = PassthroughSubject<String, Never>()
}

/// A row that retains its table.
struct SettingsRow {
  let title: String
  let table: SettingsTable
}

final class SettingsTable {
  private var rows: [SettingsRow] = []
  private var changed: [String] = []
  private let bag = DisposeBag()

  func open() {
    rows = ["volume", "brightness"].map { SettingsRow(title: $0, table: self) }
    Preferences.changes
      .traced("settings.changes")
      .observeNext { [weak self] in self?.changed.append($0) }  // observed
      .dispose(in: bag)
  }
}
