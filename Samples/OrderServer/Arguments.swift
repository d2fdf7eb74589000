/// The options on the command line.
struct Arguments {
  var makesMistakes = false
  var port: UInt16?
  var wantsHelp = false

  static let usage = """
    Usage: order-server [--mistakes] [--port N]

    Takes orders as lines of text from standard input, and ends when that ends.

      --mistakes  make two mistakes on purpose: a declined payment is never reported, and
                  prices are watched for clients that are gone
      --port N    also listen on port N of 127.0.0.1. Each connection is a client.
                  0 selects a free port, which is printed
      --help      print this

    Requests:

      order ITEM QUANTITY CARD  buys something. The bank declines cards that end in 0
      watch ITEM                prints the price each time that it changes
      tasks                     prints the tasks of the server
    """

  init(_ words: some Sequence<String>) throws(ArgumentError) {
    var words = words.makeIterator()
    while let word = words.next() {
      switch word {
      case "--mistakes": makesMistakes = true
      case "-h", "--help": wantsHelp = true
      case "--port":
        guard let value = words.next() else {
          throw ArgumentError(description: "The option --port requires a number.")
        }
        guard let port = UInt16(value) else {
          throw ArgumentError(description: "'\(value)' isn't a port from 0 to 65535.")
        }
        self.port = port
      default: throw ArgumentError(description: "Unknown argument '\(word)'.")
      }
    }
  }
}

struct ArgumentError: Error, CustomStringConvertible {
  let description: String
}
