import ReactiveKit

extension LeakCase {
  static let volumeModel = fine(
    "published-weak", lanes: ["volume.values"],
    .now {
      let model = VolumeModel()
      model.start()
      model.volume = 7
      return model
    })
}

/// A model that observes its own published property weakly.
final class VolumeModel: ObservableObject {
  @Published var volume = 5
  private var changes = 0
  private var subscriptions: Set<AnyCancellable> = []

  func start() {
    $volume
      .traced("volume.values")
      .sink { [weak self] _ in self?.changes += 1 }  // observed
      .store(in: &subscriptions)
  }
}
