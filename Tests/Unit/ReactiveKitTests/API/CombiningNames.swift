import Dispatch
import ReactiveKit
import TestSupport

extension OperatorNames {
  static var combining: [APIRow] {
    let a = SafeSignal(just: 1)
    let b = SafeSignal(just: "b")
    return [
      APIRow(
        "combineLatest(with:)", "[(3, 1)]|",
        signal: { numbers.combineLatest(with: Numbers(just: 1)) }),
      APIRow(
        "combineLatest(with:) safe other", "[(3, 1)]|", signal: { numbers.combineLatest(with: a) }),
      APIRow(
        "combineLatest(with:) safe self", "[(1, 1)]!",
        signal: { a.combineLatest(with: oneAndFailure) }),
      APIRow(
        "combineLatest(with:) both safe", "[(1, \"b\")]|", signal: { a.combineLatest(with: b) }),
      APIRow(
        "combineLatest(with:combine:)", "4|",
        signal: { numbers.combineLatest(with: a, combine: { $0 + $1 }) }),
      APIRow(
        "combineLatest(with:combine:) trailing", "4|",
        signal: { numbers.combineLatest(with: a) { $0 + $1 } }),
      APIRow("zip(with:)", "[(1, 1)]|", signal: { numbers.zip(with: a) }),
      APIRow("zip(with:combine:)", "2|", signal: { numbers.zip(with: a, combine: +) }),
      APIRow("zip(with:) safe self", "[(1, 1)]|", signal: { a.zip(with: numbers) }),
      APIRow("merge(with:)", "123123|", signal: { numbers.merge(with: numbers) }),
      APIRow("merge(with:) safe other", "1231|", signal: { numbers.merge(with: a) }),
      APIRow("merge(with:) safe self", "1123|", signal: { a.merge(with: numbers) }),
      APIRow("amb(with:)", "123|", signal: { numbers.amb(with: numbers) }),
      APIRow("amb(with:) safe other", "123|", signal: { numbers.amb(with: a) }),
      APIRow("amb(with:) safe self", "1|", signal: { a.amb(with: numbers) }),
      APIRow(
        "with(latestFrom:)", "[(1, 3)][(2, 3)][(3, 3)]|",
        signal: { numbers.with(latestFrom: numbers) }),
      APIRow(
        "with(latestFrom:) safe other", "[(1, 1)][(2, 1)][(3, 1)]|",
        signal: { numbers.with(latestFrom: a) }),
      APIRow("with(latestFrom:) safe self", "[(1, 3)]|", signal: { a.with(latestFrom: numbers) }),
      APIRow(
        "with(latestFrom:combine:)", "234|", signal: { numbers.with(latestFrom: a, combine: +) }),
      APIRow("replayLatest(when:)", "1233|", signal: { numbers.replayLatest(when: a) }),
      APIRow("free combineLatest of 2", "[(1, \"b\")]|", signal: { combineLatest(a, b) }),
      APIRow(
        "free combineLatest of 2, combine", "1b|".boxed,
        signal: { combineLatest(a, b) { "\($0)\($1)" } }),
      APIRow("free combineLatest of 3", "[(1, 1, \"b\")]|", signal: { combineLatest(a, a, b) }),
      APIRow(
        "free combineLatest of 4", "4|", signal: { combineLatest(a, a, a, a) { $0 + $1 + $2 + $3 } }
      ),
      APIRow(
        "free combineLatest of 5", "5|",
        signal: { combineLatest(a, a, a, a, a, combine: { $0 + $1 + $2 + $3 + $4 }) }),
      APIRow(
        "free combineLatest of 6", "[(1, 1, 1, 1, 1, \"b\")]|",
        signal: { combineLatest(a, a, a, a, a, b) }),
      APIRow("free zip of 2", "[(1, \"b\")]|", signal: { ReactiveKit.zip(a, b) }),
      APIRow("free zip of 3", "3|", signal: { ReactiveKit.zip(a, a, a) { $0 + $1 + $2 } }),
      APIRow("free zip of 4", "[(1, 1, 1, 1)]|", signal: { ReactiveKit.zip(a, a, a, a) }),
      APIRow("free zip of 5", "[(1, 1, 1, 1, 1)]|", signal: { ReactiveKit.zip(a, a, a, a, a) }),
      APIRow(
        "free zip of 6", "[(1, 1, 1, 1, 1, 1)]|", signal: { ReactiveKit.zip(a, a, a, a, a, a) }),
      APIRow("free merge of 2", "1123|", signal: { merge(a, safeNumbers) }),
      APIRow("free merge of 3", "111|", signal: { merge(a, a, a) }),
      APIRow("free merge of 4", "1111|", signal: { merge(a, a, a, a) }),
      APIRow("free merge of 5", "11111|", signal: { merge(a, a, a, a, a) }),
      APIRow("free merge of 6", "111111|", signal: { merge(a, a, a, a, a, a) }),
      APIRow("free amb of 2", "1|", signal: { amb(a, safeNumbers) }),
      APIRow("free amb of 3", "1|", signal: { amb(a, a, safeNumbers) }),
      APIRow("free amb of 4", "1|", signal: { amb(a, a, a, safeNumbers) }),
      APIRow("free amb of 5", "1|", signal: { amb(a, a, a, a, safeNumbers) }),
      APIRow(
        "Signal(flattening:) of a sequence", "11|",
        signal: { Signal(flattening: repeatElement(a, count: 2), strategy: .latest) }),
      APIRow("free amb of 6", "123|", signal: { amb(safeNumbers, a, a, a, a, a) }),
      APIRow("flatMap(_:_:)", "123|", signal: { numbers.flatMap(.concat) { Numbers(just: $0) } }),
      APIRow(
        "flatMap(_:_:) to safe", "123|",
        signal: { numbers.flatMap(.merge) { SafeNumbers(just: $0) } }),
      APIRow(
        "flatMap(_:_:) from safe", "123|",
        signal: { safeNumbers.flatMap(.latest) { Numbers(just: $0) } }),
      APIRow("flatMapConcat(_:)", "123|", signal: { numbers.flatMapConcat { Numbers(just: $0) } }),
      APIRow(
        "flatMapLatest(_:)", "123|", signal: { numbers.flatMapLatest { SafeNumbers(just: $0) } }),
      APIRow(
        "flatMapMerge(_:)", "123|", signal: { safeNumbers.flatMapMerge { Numbers(just: $0) } }),
      APIRow("flatten(_:)", "11|", signal: { SafeSignal(sequence: [a, a]).flatten(.merge) }),
      APIRow(
        "concat()", "123123|",
        signal: { Signal<Numbers, TestError>(sequence: [numbers, numbers]).concat() }),
      APIRow(
        "merge()", "11|", signal: { Signal<SafeNumbers, TestError>(sequence: [a, a]).merge() }),
      APIRow(
        "switchToLatest()", "123123|",
        signal: { SafeSignal(sequence: [numbers, numbers]).switchToLatest() }),
      APIRow(
        "Signal(flattening:strategy:)", "123123|",
        signal: { Signal(flattening: [numbers, numbers], strategy: .concat) }),
      APIRow(
        "Signal(flattening:) merge", "123123|",
        signal: { Signal(flattening: [numbers, numbers], strategy: .merge) }),
      APIRow(
        "Signal(flattening:) of nothing", "|",
        signal: { Signal(flattening: [Numbers](), strategy: .latest) }),
      APIRow(
        "Signal(combiningLatest:combine:)", "2|",
        signal: { Signal(combiningLatest: [a, a]) { $0.reduce(0, +) } }),
      APIRow(
        "Signal(combiningLatest:) of nothing", "|",
        signal: { Signal(combiningLatest: [SafeNumbers]()) { $0.count } }),
    ]
  }
}

extension String {
  /// The events of one element with several characters, as the recorder draws them.
  fileprivate var boxed: String { "[\(dropLast())]\(suffix(1))" }
}
