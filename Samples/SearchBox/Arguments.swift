/// The options and the folder on the command line.
struct Arguments {
  var folder = "Sources"
  var leaks = false
  var readsStandardInput = false
  var wantsHelp = false

  static let usage = """
    Usage: search-sample [--leak] [--stdin] [FOLDER]

    Searches the Swift files below FOLDER (default: Sources) as someone types.

      --leak    make a classic mistake: a screen keeps itself alive
      --stdin   read the typing from standard input: each line is the text of the
                search box at that moment, and an empty line closes the screen
      --help    print this
    """

  init(_ words: some Sequence<String>) throws(ArgumentError) {
    var folders: [String] = []
    for word in words {
      switch word {
      case "--leak": leaks = true
      case "--stdin": readsStandardInput = true
      case "-h", "--help": wantsHelp = true
      case _ where word.hasPrefix("-"): throw ArgumentError(message: "Unknown option '\(word)'.")
      default: folders.append(word)
      }
    }
    if folders.count > 1 {
      throw ArgumentError(message: "One folder can be searched, not \(folders.count).")
    }
    if let folder = folders.first { self.folder = folder }
  }
}

struct ArgumentError: Error, CustomStringConvertible {
  let message: String

  var description: String { message }
}
