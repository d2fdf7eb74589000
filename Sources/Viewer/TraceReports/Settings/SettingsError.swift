import TraceWords
import ViewerConsole

/// Invalid settings: a code, the file and the position in it, and a sentence.
struct SettingsError: Error, Equatable {
  struct Code: Equatable, Sendable {
    private let name: String

    static let notJSON = Code(name: "not-json")
    static let wrongMember = Code(name: "wrong-member")
    static let wrongOption = Code(name: "wrong-option")
  }

  let code: Code
  /// The file, or `nil` for an option.
  let file: String?
  let location: TextLocation?
  /// The message. It names the file, the line and the member, or the option. It quotes the input,
  /// so it must be made safe.
  let sentence: String

  init(_ error: JSONError, in file: String) {
    code = error.code == .syntax ? .notJSON : .wrongMember
    self.file = file
    location = error.location
    sentence = error.sentence(in: file)
  }

  /// Returns the error for a baseline that a link leads out of the folder.
  static func outside(_ baseline: String, of file: String) -> SettingsError {
    SettingsError(
      .wrongMember, file,
      "\(file): '.baseline' is a link out of the folder of the settings file: \(baseline)."
        + " Name a file elsewhere with --baseline.")
  }

  private init(_ code: Code, _ file: String, _ sentence: String) {
    self.code = code
    self.file = file
    location = nil
    self.sentence = sentence
  }

  private init(option sentence: String) {
    code = .wrongOption
    file = nil
    location = nil
    self.sentence = sentence
  }

  static func option(_ name: String, needs form: String, not value: String) -> SettingsError {
    SettingsError(option: "'--\(name)' needs \(form), not '\(JSONError.cut(value))'.")
  }

  static func unknown(
    _ what: String, _ name: String, of owner: String = "", known: [String]
  ) -> SettingsError {
    let hint = Suggestion.best(name, of: known).map { " Did you mean '\($0)'?" } ?? ""
    let list = known.isEmpty ? "" : " Known: \(known.joined(separator: ", "))."
    return SettingsError(
      option: "\(what) '\(JSONError.cut(name))'\(owner) is not known.\(hint)\(list)")
  }
}
