import ReactiveKit

extension LeakCase {
  static let orchestra = fine(
    "multicast-many-observers", lanes: ["orchestra.beat", "orchestra.player"],
    .now {
      let orchestra = Orchestra()
      orchestra.play()
      for beat in 1...4 { Metronome.beats.send(beat) }
      orchestra.stop()
      return orchestra
    })
}

enum Metronome {
  static let beats = PassthroughSubject<Int, Never>()
}

/// An orchestra whose players all share one connection, which ends with them.
final class Orchestra {
  private var players = [0, 0, 0]
  private let bag = DisposeBag()

  func play() {
    let beat = Metronome.beats.map { $0 % 4 }.traced("orchestra.beat").publish()
    for player in players.indices {
      beat
        .traced("orchestra.player")
        .observeNext { [weak self] in self?.players[player] = $0 }  // observed
        .dispose(in: bag)
    }
    beat.connect().dispose(in: bag)
  }

  func stop() { bag.dispose() }
}
