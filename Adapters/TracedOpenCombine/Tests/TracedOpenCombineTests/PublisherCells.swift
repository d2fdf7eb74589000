import OpenCombine

/// The publishers that the cells of the column "Combine" use.
struct PublisherCells {
  let x, y, z: AnyPublisher<Int, Never>
  let e: AnyPublisher<Int, any Error>
  let texts: AnyPublisher<String, Never>
  let optionals: AnyPublisher<Int?, Never>

  init(_ input: CellInput) {
    x = input.x.publisher.eraseToAnyPublisher()
    y = input.y.publisher.eraseToAnyPublisher()
    z = [8, 9].publisher.eraseToAnyPublisher()
    let elements = x.setFailureType(to: (any Error).self)
    e =
      input.fails
      ? elements.append(Fail<Int, any Error>(error: CellError())).eraseToAnyPublisher()
      : elements.eraseToAnyPublisher()
    texts = input.x.map { $0 > 1 ? "\($0)" : "text" }.publisher.eraseToAnyPublisher()
    optionals = input.x.map { $0 > 1 ? $0 : nil }.publisher.eraseToAnyPublisher()
  }

  func load(_ number: Int) -> AnyPublisher<Int, Never> {
    [number, -number].publisher.eraseToAnyPublisher()
  }

  func recover(_ error: any Error) throws -> AnyPublisher<Int, any Error> {
    x.setFailureType(to: (any Error).self).eraseToAnyPublisher()
  }

  func record<Source: Publisher>(_ source: Source) -> [String] {
    var events: [String] = []
    let cancellable = source.sink { completion in
      if case .failure(let error) = completion {
        events.append("\(error)")
      } else {
        events.append("finished")
      }
    } receiveValue: {
      events.append("\($0)")
    }
    cancellable.cancel()
    return events
  }
}
