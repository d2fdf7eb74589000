/// The options on the command line.
struct Arguments {
  /// The lessons to run.
  var lessons = Lesson.all
  /// True for the screens without the mistake.
  var areCured = false
  var wantsHelp = false

  static let usage = """
    Usage: leaky-screens [--screen NAME] [--cured]

    Opens, uses and closes twelve screens. Each makes a mistake that leaks a subscription.
    Prints what the recorder finds.

      --screen NAME   run one screen
      --cured         run the same screens without their mistakes
      --help          print this

    Screens: \(Lesson.all.map(\.name).joined(separator: ", "))
    """

  init(_ words: some Sequence<String>) throws(ArgumentError) {
    var words = words.makeIterator()
    while let word = words.next() {
      switch word {
      case "--screen": lessons = [try Self.lesson(words.next())]
      case "--cured": areCured = true
      case "-h", "--help": wantsHelp = true
      case _ where word.hasPrefix("-"): throw ArgumentError(message: "Unknown option '\(word)'.")
      default: throw ArgumentError(message: "Write --screen before the name '\(word)'.")
      }
    }
  }

  private static func lesson(_ name: String?) throws(ArgumentError) -> Lesson {
    guard let name else { throw ArgumentError(message: "The option --screen needs a name.") }
    guard let lesson = Lesson.all.first(where: { $0.name == name }) else {
      throw ArgumentError(message: "Unknown screen '\(name)'.")
    }
    return lesson
  }
}

struct ArgumentError: Error, CustomStringConvertible {
  let message: String

  var description: String { message }
}
