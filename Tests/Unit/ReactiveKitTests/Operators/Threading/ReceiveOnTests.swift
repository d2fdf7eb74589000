import Dispatch
import ReactiveKit
import TestSupport
import Testing

@Suite("receive(on:)", .ownThread)
struct ReceiveOnTests {
  @Test("receive(on:) keeps the order of events", arguments: ["1-2-3|", "(123)!", "|", "!"])
  func order(text: String) {
    onStage { stage in
      #expect(stage.play(stage.cold(text).receive(on: stage.time)) == text)
    }
    #expect(marbles(text) { $0.receive(on: ExecutionContext.immediate) } == text)
  }

  @Test("receive(on:) delivers on the queue, in order", arguments: [true, false])
  func queue(isConcurrent: Bool) {
    let queue = DispatchQueue(label: "test.receive", attributes: isConcurrent ? .concurrent : [])
    let isOver = Flag()
    let recorder = EventRecorder<Int, Never>()
    let disposable = Signal<Int, Never>(sequence: 0..<1_000).receive(on: queue).observe { event in
      recorder.on(event)
      if event.isTerminal { isOver.raise() }
    }
    #expect(isOver.wait())
    #expect(recorder.elements == Array(0..<1_000))
    #expect(recorder.overlapCount == 0)
    #expect(disposable.isDisposed || recorder.isCompleted)
  }

  @Test("receive(on:) drops waiting events when the observation is disposed")
  func disposal() {
    onStage { stage in
      let subject = PassthroughSubject<Int, Never>()
      let watch = stage.watch(subject.receive(on: stage.time))
      subject.send(1)
      watch.dispose()
      stage.time.run()
      #expect(watch.drawn == "")
    }
  }

  @Test("receive(on:) disposes its source when it ends, before it delivers the end")
  func lifetimes() {
    onStage { stage in
      let source = stage.cold("1-|")
      let later = ExecutionContext { stage.at(stage.time.second + 3, $0) }
      #expect(stage.play(source.receive(on: later)) == "---1-|")
      #expect(source.lifetimes == [Lifetime(0, 2)])
    }
  }
}

@Suite("subscribe(on:)", .ownThread)
struct SubscribeOnTests {
  @Test("subscribe(on:) observes its source on the scheduler")
  func scheduling() {
    onStage { stage in
      let source = stage.cold("1-2|")
      let later = ExecutionContext { stage.at(3, $0) }
      #expect(stage.play(source.subscribe(on: later)) == "---1-2|")
      #expect(source.lifetimes == [Lifetime(3, 6)])
    }
  }

  @Test("subscribe(on:) doesn't observe its source if the observation is disposed first")
  func earlyDisposal() {
    onStage { stage in
      let source = stage.cold("1-2|")
      let later = ExecutionContext { stage.at(3, $0) }
      #expect(stage.play(source.subscribe(on: later), disposeAt: 2) == "")
      #expect(source.lifetimes.isEmpty)
    }
  }

  @Test("subscribe(on:) runs the producer on the queue")
  func queue() {
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "test.subscribe")
    queue.setSpecific(key: key, value: true)
    let isOver = Flag()
    var isOnQueue = false
    let signal = Signal<Int, Never>(performing: {
      isOnQueue = DispatchQueue.getSpecific(key: key) == true
      return 1
    })
    let disposable = signal.subscribe(on: queue).observeCompleted { isOver.raise() }
    #expect(isOver.wait())
    #expect(isOnQueue)
    disposable.dispose()
  }
}
