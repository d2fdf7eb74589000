/// The requests of a client.
enum Request: Equatable {
  case order(Order)
  case watch(item: String)
  case tasks

  /// Parses a line. It is nil if it couldn't be read.
  init(_ line: String?) throws(RequestError) {
    guard let line else {
      throw RequestError(description: "A request is at most 1,024 bytes of UTF-8.")
    }
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    switch words.first {
    case "order":
      guard words.count == 4 else {
        throw RequestError(description: "An order has the form 'order ITEM QUANTITY CARD'.")
      }
      guard let quantity = Int(words[2]), Order.quantities.contains(quantity) else {
        throw RequestError(
          description: "The quantity is a number from 1 to \(Order.quantities.upperBound), "
            + "not '\(words[2])'.")
      }
      guard 4...19 ~= words[3].utf8.count, words[3].utf8.allSatisfy({ 48...57 ~= $0 }) else {
        throw RequestError(description: "A card has 4 to 19 digits.")
      }
      self = .order(Order(item: words[1], quantity: quantity, card: words[3]))
    case "watch":
      guard words.count == 2 else {
        throw RequestError(description: "A watch has the form 'watch ITEM'.")
      }
      self = .watch(item: words[1])
    case "tasks" where words.count == 1: self = .tasks
    default:
      throw RequestError(
        description: "'\(line.prefix(40))' isn't a request. Requests are order, watch and tasks.")
    }
  }
}

struct Order: Equatable {
  static let quantities = 1...100

  let item: String
  let quantity: Int
  let card: String
}

struct RequestError: Error, CustomStringConvertible {
  let description: String
}
