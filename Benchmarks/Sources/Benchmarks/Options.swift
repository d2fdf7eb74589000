struct Options {
  var samples = 9
  var filter = ""
  var printsJSON = false
  var printsMarkdown = false
  /// Whether the figures are read from the standard input instead of measured.
  var readsFigures = false
  var measuresTracing = false
  var measuresCurves = false
  /// The path of a program that writes records with other libraries.
  var writers: String?
  var contestants: Set<Contestant> = Set(Contestant.allCases)

  static let help = """
    usage: Benchmarks [--samples N] [--row TEXT] [--json | --markdown]
                      [--peer-only | --ours-only] [--table] [--curves]
                      [--tracing [--writers PROGRAM]]

      --samples N   the number of samples, whose median counts (default 9, at least 7)
      --row TEXT    measure only the rows, or with --curves the curves, whose name contains TEXT
      --json        print one JSON object for each figure instead of the table
      --markdown    print the table and the machine as Markdown, as in RESULTS.md
      --peer-only   measure only OpenCombine
      --ours-only   measure only the ReactiveKit of this repository
      --table       measure nothing; read JSON objects of several runs and of other libraries
                    from the standard input, as compare-peers does, and print the table of medians
      --tracing     measure the cost of recording an event, and of other ways to write a record
      --curves      measure how costs grow, and print one JSON object for each curve
      --writers PROGRAM
                    with --tracing: a program that writes records with other libraries, as
                    compare-peers builds it
    """

  init(_ arguments: [String]) throws(OptionError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--samples":
        guard let number = rest.popFirst().flatMap({ Int($0) }), number >= 7 else {
          throw OptionError("--samples needs a number of at least 7.")
        }
        samples = number
      case "--row":
        guard let text = rest.popFirst() else { throw OptionError("--row needs a text.") }
        filter = text
      case "--json": printsJSON = true
      case "--markdown": printsMarkdown = true
      case "--table": readsFigures = true
      case "--writers":
        guard let path = rest.popFirst() else { throw OptionError("--writers needs a program.") }
        writers = path
      case "--tracing": measuresTracing = true
      case "--curves": measuresCurves = true
      case "--peer-only": contestants = [.openCombine]
      case "--ours-only": contestants = [.ours]
      case "--help", "-h": throw OptionError(Self.help)
      default: throw OptionError("unknown option \(argument); --help lists them.")
      }
    }
  }
}

struct OptionError: Error {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}
