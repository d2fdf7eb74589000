/// What the command line asks for.
struct Request {
  /// The options of `trace-viewer run`, as they were written.
  private(set) var options: [String] = []
  /// The program to run instead of the tests.
  private(set) var product: String?
  private(set) var productArguments: [String] = []
  private(set) var wantsHelp = false

  init(_ arguments: [String]) throws {
    let parts = arguments.split(separator: "--", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count > 1 { productArguments = Array(parts[1]) }
    var rest = parts[0]
    while let argument = rest.popFirst() {
      if argument == "-h" || argument == "--help" {
        wantsHelp = true
      } else if argument == "--product" {
        product = rest.popFirst() ?? ""
      } else if argument.hasPrefix("--product=") {
        product = String(argument.dropFirst("--product=".count))
      } else {
        options.append(argument)
      }
    }
    if product?.isEmpty == true {
      throw Failure(code: 64, "--product needs the name of an executable product.")
    }
    #if os(macOS)
      if product == nil, !wantsHelp {
        throw Failure(
          code: 64,
          """
          On macOS, a plugin cannot run tests. Use: swift run trace-viewer run -- swift test. \
          To run a program, use --product NAME.
          """)
      }
    #endif
    if product == nil, !productArguments.isEmpty {
      throw Failure(
        code: 64, "Arguments after -- go to a program: name it with --product NAME.")
    }
  }

  static let help = """
    Run the tests of this package with tracing on, and look for leaks.

    EXAMPLES
      swift package check-leaks
          look for leaks in all tests
      swift package check-leaks -o junit:leaks.xml
          write a file, too
      swift package check-leaks --product App -- --demo
          run a program instead, with an argument

    USAGE
      swift package check-leaks [OPTIONS] [--product NAME [-- ARGUMENT...]]

      Builds the package with its tests, and trace-viewer. Runs the tests, or the
      program, in 'trace-viewer run', which checks the logs of all processes. The
      OPTIONS are those of 'trace-viewer check', --keep and --all.

      SwiftPM puts everything that is printed on one stream. Other programs can
      read what -o FORMAT:FILE writes.

      On macOS, only --product works, and SwiftPM lets a plugin write only to
      TMPDIR. For other files, use 'swift package --disable-sandbox check-leaks'.

      This command does the same, and works everywhere:
          swift run trace-viewer run -- swift test

    OPTIONS
          --product=NAME  Run this executable product instead of the tests.
      -h, --help          Show help.

    EXIT CODES
      0  nothing wrong
      1  anything else. SwiftPM makes 1 of any other code, and prints the code:
         'Plugin ended with exit code 2' means that a log may be incomplete, or
         that there is none. 'trace-viewer run --help' lists the codes.
    """
}
