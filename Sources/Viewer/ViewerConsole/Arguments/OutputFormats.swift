/// The formats of a report.
package enum ReportFormat: String, OptionChoice {
  case text, json, markdown, html
}

/// The orders of the lanes and the subscriptions in a report.
package enum ReportOrder: String, OptionChoice {
  case time, lane, elements, life
}

/// The formats for the result of a check.
package enum CheckFormat: String, OptionChoice {
  case text, json, junit, sarif, github, gitlab, markdown, dot
}

/// The formats of an inspection of a process.
package enum TasksFormat: String, OptionChoice {
  case text, json
}

/// The formats of the explanation of a finding.
package enum ExplainFormat: String, OptionChoice {
  case text, json
}

/// The formats of a comparison of two logs.
package enum DiffFormat: String, OptionChoice {
  case text, json, markdown
}
