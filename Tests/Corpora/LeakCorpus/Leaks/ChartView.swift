import ReactiveKit

extension LeakCase {
  static let chartView = cycle(
    "tuple-field", lanes: ["chart.points"], path: ["ChartView.legend", "ChartLegend.chart"],
    also: ["ChartView.bag", "ChartView.legend.view"],
    .now {
      let chart = ChartView()
      chart.open()
      Sensor.points.send(3)
      return chart
    })
}

enum Sensor {
  static let points = PassthroughSubject<Int, Never>()
}

final class ChartLegend {
  private let chart: ChartView

  init(_ chart: ChartView) { self.chart = chart }
}

/// A view that stores its legend in a tuple, together with the title.
final class ChartView {
  private var legend: (title: String, view: ChartLegend?) = ("none", nil)
  private var points: [Int] = []
  private let bag = DisposeBag()

  func open() {
    legend = ("points", ChartLegend(self))
    Sensor.points
      .traced("chart.points")
      .observeNext { [weak self] in self?.points.append($0) }  // observed
      .dispose(in: bag)
  }
}
