import ReactiveKit

extension LeakCase {
  static let drawingCanvas = cycle(
    "closure-in-closure", lanes: ["canvas.strokes"], path: ["closure", "DrawingCanvas.bag"],
    breaks: "closure",
    .now {
      let canvas = DrawingCanvas()
      canvas.open()
      Pen.strokes.send(5)
      return canvas
    })
}

enum Pen {
  static let strokes = PassthroughSubject<Int, Never>()
}

/// A canvas whose observer calls another closure, which retains the canvas.
final class DrawingCanvas {
  private var length = 0
  private let bag = DisposeBag()

  func open() {
    let unit = 2
    let draw = { (stroke: Int) in self.length += stroke * unit }
    Pen.strokes
      .traced("canvas.strokes")
      .observeNext { stroke in  // observed
        draw(stroke)
        draw(-1)
      }
      .dispose(in: bag)
  }
}
