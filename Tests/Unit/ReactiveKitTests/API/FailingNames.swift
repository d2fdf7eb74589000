import Dispatch
import ReactiveKit
import TestSupport

private struct OtherError: Error {}

extension OperatorNames {
  static var failing: [APIRow] {

    let failing = oneAndFailure
    let results = SafeSignal<Result<Int, TestError>>(sequence: [.success(1), .failure(TestError())])
    return [
      APIRow("mapError(_:)", "1!", signal: { failing.mapError { _ in OtherError() } }),
      APIRow("castError()", "123|") {
        let cast: Signal<Int, OtherError> = safeNumbers.castError()
        return cast.drawn
      },
      APIRow(
        "flatMapError(_:)", "17|", signal: { failing.flatMapError { _ in SafeNumbers(just: 7) } }),
      APIRow(
        "flatMapError(_:) to failing", "11!",
        signal: { failing.flatMapError { _ in oneAndFailure } }),
      APIRow("replaceError(with:)", "10|", signal: { failing.replaceError(with: 0) }),
      APIRow("suppressError(logging:)", "1|", signal: { failing.suppressError(logging: false) }),
      APIRow("suppressAndFeedError(into:logging:)", "1|1") {
        let errors = SafeReplaySubject<TestError>()
        let drawn = failing.suppressAndFeedError(into: errors, logging: false).drawn
        return drawn + "\(errors.elements.count)"
      },
      APIRow("branchOutError()", "1|e|") {
        let (elements, errors) = failing.branchOutError()
        return elements.drawn + errors.map { _ in "e" }.drawn
      },
      APIRow("branchOutError(_:)", "e|", signal: { failing.branchOutError { _ in "e" }.1 }),
      APIRow("toErrorSignal()", "e|", signal: { failing.toErrorSignal().map { _ in "e" } }),
      APIRow("retry(_:)", "11!", signal: { failing.retry(1) }),
      APIRow("retry(_:if:)", "1!", signal: { failing.retry(1, if: { _ in false }) }),
      APIRow("retry(when:)", "1!", signal: { failing.retry(when: SafeNumbers.completed()) }),
      APIRow(
        "retry(when:if:)", "1!", signal: { failing.retry(when: safeNumbers, if: { _ in false }) }),
      APIRow("timeout(after:with:on:)", "123|") {
        numbers.timeout(after: 1000, with: TestError(), on: DispatchQueue(label: "names"))
          .waitDrawn()
      },
      APIRow("timeout(after:with:)", "123|") {
        numbers.timeout(after: 1000, with: TestError()).waitDrawn()
      },
      APIRow("mapToResult()", "[success(1)]e|") {
        failing.mapToResult().map { (try? $0.get()) == nil ? "e" : "\($0)" }.drawn
      },
      APIRow("tryMap(_:)", "1!") {
        numbers.tryMap { $0 < 2 ? .success($0) : .failure(TestError()) }.drawn
      },
      APIRow("tryMap(_:) from safe", "1!") {
        safeNumbers.tryMap { $0 < 2 ? .success($0) : .failure(TestError()) }.drawn
      },
      APIRow("getValues()", "1!", signal: { results.getValues() }),
      APIRow("getValues() same error", "1!") {
        (results.castError() as Signal<Result<Int, TestError>, TestError>).getValues().drawn
      },
      APIRow("mapValue(_:)", "3!", signal: { results.mapValue { $0 + 2 }.getValues() }),
      APIRow("materialize()", "[next(1)]|2") {
        let events = failing.materialize()
        return events.first().drawn + "\(events.elements.count)"
      },
      APIRow("dematerialize()", "1!", signal: { failing.materialize().dematerialize() }),
      APIRow("handleEvents", "123|start123endcancel") {
        var log = ""
        let drawn = numbers.handleEvents(
          receiveSubscription: { log += "start" }, receiveOutput: { log += "\($0)" },
          receiveCompletion: { _ in log += "end" }, receiveCancel: { log += "cancel" }
        ).drawn
        return drawn + log
      },
      APIRow("delay(interval:on:)", "123|") {
        numbers.delay(interval: 0.001, on: DispatchQueue(label: "names")).waitDrawn()
      },
      APIRow("delay(interval:)", "123|") { numbers.delay(interval: 0.001).waitDrawn() },
      APIRow("repeat(when:)", "123|", signal: { numbers.repeat { _ in SafeNumbers.completed() } }),
      APIRow("feedActivity(into:)", "123|truefalse") {
        let activity = SafeReplaySubject<Bool>()
        return numbers.feedActivity(into: activity).drawn
          + activity.elements.map { "\($0)" }.joined()
      },
      APIRow("feedNext(into:)", "123|123") {
        let fed = SafeReplaySubject<Int>()
        return numbers.feedNext(into: fed).drawn + fed.drawn
      },
      APIRow("feedNext(into:when:map:)", "123|x") {
        let fed = SafeReplaySubject<String>()
        return numbers.feedNext(into: fed, when: { $0 == 2 }, map: { _ in "x" }).drawn + fed.drawn
      },
      APIRow("feedNext(into:map:)", "123|xxx") {
        let fed = SafeReplaySubject<String>()
        return numbers.feedNext(into: fed, map: { _ in "x" }).drawn + fed.drawn
      },
      APIRow("feedError(into:)", "1!1") {
        let errors = SafeReplaySubject<TestError>()
        return failing.feedError(into: errors).drawn + "\(errors.elements.count)"
      },
      APIRow("debug()", "123|", signal: { numbers.debug() }),
      APIRow("debug(_:)", "123|", signal: { numbers.debug("numbers") }),
      APIRow(
        "breakpoint", "123|",
        signal: {
          numbers.breakpoint(
            receiveSubscription: { false }, receiveOutput: { _ in false },
            receiveCompletion: { _ in false })
        }),
      APIRow("breakpointOnError()", "123|", signal: { numbers.breakpointOnError() }),
    ]
  }
}
