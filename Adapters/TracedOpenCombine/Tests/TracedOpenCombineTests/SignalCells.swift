import ReactiveKit

/// The signals that the cells of the column "ReactiveKit" use.
struct SignalCells {
  let x, y, z: SafeSignal<Int>
  let e: Signal<Int, any Error>
  let texts: SafeSignal<String>
  let optionals: SafeSignal<Int?>

  init(_ input: CellInput) {
    x = SafeSignal(sequence: input.x)
    y = SafeSignal(sequence: input.y)
    z = SafeSignal(sequence: [8, 9])
    let elements: Signal<Int, any Error> = x.castError()
    e = input.fails ? elements.append(Signal<Int, any Error>.failed(CellError())) : elements
    texts = SafeSignal(sequence: input.x.map { $0 > 1 ? "\($0)" : "text" })
    optionals = SafeSignal(sequence: input.x.map { $0 > 1 ? $0 : nil })
  }

  func load(_ number: Int) -> SafeSignal<Int> { SafeSignal(sequence: [number, -number]) }

  func recover(_ error: any Error) throws -> Signal<Int, any Error> { x.castError() }

  func record<Element, Failure: Error>(_ source: Signal<Element, Failure>) -> [String] {
    var events: [String] = []
    source.observe { event in
      switch event {
      case .next(let element): events.append("\(element)")
      case .failed(let error): events.append("\(error)")
      case .completed: events.append("finished")
      }
    }.dispose()
    return events
  }
}
