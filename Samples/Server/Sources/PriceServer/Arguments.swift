/// The options on the command line.
struct Arguments {
  var port = 8080
  var seed: UInt64 = 1
  var leaks = false
  var wantsHelp = false

  static let usage = """
    Usage: price-server [--port N] [--seed N] [--leak]

    Streams the prices of a simulated market on 127.0.0.1.

      --port N   listen on this port (default: 8080); 0 is any free port
      --seed N   begin the random walk of the prices here (default: 1)
      --leak     make a classic mistake: an alert outlives its client
      --help     print this
    """

  init(_ words: some Sequence<String>) throws(ArgumentError) {
    var words = words.makeIterator()
    while let word = words.next() {
      switch word {
      case "--port": port = Int(try Self.number(after: word, &words, upTo: 65_535))
      case "--seed": seed = try Self.number(after: word, &words, upTo: .max)
      case "--leak": leaks = true
      case "-h", "--help": wantsHelp = true
      default: throw ArgumentError(message: "Unknown argument '\(word)'.")
      }
    }
  }

  private static func number(
    after option: String, _ words: inout some IteratorProtocol<String>, upTo limit: UInt64
  ) throws(ArgumentError) -> UInt64 {
    guard let number = words.next().flatMap({ UInt64($0) }), number <= limit else {
      throw ArgumentError(message: "'\(option)' needs a number from 0 to \(limit).")
    }
    return number
  }
}

struct ArgumentError: Error, CustomStringConvertible {
  let message: String

  var description: String { message }
}
