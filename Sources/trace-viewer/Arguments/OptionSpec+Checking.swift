extension OptionSpec {
  /// Checks a value before any log is opened.
  func check(_ text: String, for command: CommandSpec.Name?) throws(UsageError) {
    guard let kind = value?.kind else { return }
    switch kind {
    case .oneOf(let choices):
      guard choices.contains(text) else { throw .wrongChoice(text, of: choices, self, command) }
    case .text, .file:
      guard !text.isEmpty else { throw .missingValue(self, command) }
    case .count:
      guard OptionText.count(text) != nil else {
        throw .wrongValue(text, self, "a whole number, such as 20, or 0 for all", command)
      }
    case .formatAndFile(let formats):
      guard let parts = OptionText.formatAndFile(text) else {
        throw .wrongValue(text, self, "FORMAT:FILE, such as json:findings.json", command)
      }
      guard formats.contains(parts.format) else {
        throw .wrongChoice(parts.format, of: formats, self, command)
      }
    case .laneAndCount:
      guard OptionText.laneAndCount(text) != nil else {
        throw .wrongValue(text, self, "LANE=N, such as search.results=2", command)
      }
    case .speed:
      guard ReplaySpeed(text) != nil else {
        throw .wrongValue(text, self, "a speed from 1/1000x to 1000x, or max", command)
      }
    case .ruleSetting:
      try checkRule(text, for: command)
    }
  }

  private func checkRule(_ text: String, for command: CommandSpec.Name?) throws(UsageError) {
    guard let parts = OptionText.ruleSetting(text) else {
      throw .wrongValue(text, self, "RULE=SETTING, such as growth=off or growth.min=3", command)
    }
    guard CommandTable.rules.contains(parts.rule) else {
      throw .unknownRule(parts.rule, command)
    }
    if parts.threshold != nil {
      guard OptionText.isNumber(parts.setting) else {
        throw .wrongValue(text, self, "a number after '=', such as growth.min=3", command)
      }
    } else {
      guard CommandTable.ruleLevels.contains(parts.setting) else {
        throw .wrongChoice(parts.setting, of: CommandTable.ruleLevels, self, command)
      }
    }
  }
}
