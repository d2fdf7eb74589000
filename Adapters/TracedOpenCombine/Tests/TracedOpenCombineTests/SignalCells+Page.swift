// Made by Tests/Scripts/tables.py from the page "Coming from Combine".
import Foundation
import ReactiveKit

extension SignalCells {
  static var all: [Cell<SignalCells>] {
    [
      Cell(83, isEqual: true) { $0.cell0() },
      Cell(84, isEqual: false) { $0.cell1() },
      Cell(84, isEqual: false) { $0.cell2() },
      Cell(85, isEqual: false) { $0.cell3() },
      Cell(86, isEqual: false) { $0.cell4() },
      Cell(87, isEqual: true) { $0.cell5() },
      Cell(88, isEqual: true) { $0.cell6() },
      Cell(89, isEqual: true) { $0.cell7() },
      Cell(90, isEqual: true) { $0.cell8() },
      Cell(94, isEqual: true) { $0.cell9() },
      Cell(95, isEqual: true) { $0.cell10() },
      Cell(95, isEqual: true) { $0.cell11() },
      Cell(96, isEqual: true) { $0.cell12() },
      Cell(96, isEqual: true) { $0.cell13() },
      Cell(98, isEqual: true) { $0.cell14() },
      Cell(99, isEqual: true) { $0.cell15() },
      Cell(108, isEqual: true) { $0.cell16() },
      Cell(109, isEqual: true) { $0.cell17() },
      Cell(110, isEqual: true) { $0.cell18() },
      Cell(111, isEqual: true) { $0.cell19() },
      Cell(112, isEqual: true) { $0.cell20() },
      Cell(112, isEqual: true) { $0.cell21() },
      Cell(113, isEqual: false) { $0.cell22() },
      Cell(114, isEqual: true) { $0.cell23() },
      Cell(115, isEqual: true) { $0.cell24() },
      Cell(116, isEqual: true) { $0.cell25() },
      Cell(117, isEqual: true) { $0.cell26() },
      Cell(118, isEqual: true) { $0.cell27() },
      Cell(119, isEqual: true) { $0.cell28() },
      Cell(120, isEqual: true) { $0.cell29() },
      Cell(121, isEqual: false) { $0.cell30() },
      Cell(122, isEqual: true) { $0.cell31() },
      Cell(123, isEqual: false) { $0.cell32() },
      Cell(124, isEqual: false) { $0.cell33() },
      Cell(124, isEqual: false) { $0.cell34() },
      Cell(126, isEqual: true) { $0.cell35() },
      Cell(127, isEqual: false) { $0.cell36() },
      Cell(128, isEqual: true) { $0.cell37() },
      Cell(129, isEqual: true) { $0.cell38() },
      Cell(130, isEqual: false) { $0.cell39() },
      Cell(131, isEqual: true) { $0.cell40() },
      Cell(132, isEqual: true) { $0.cell41() },
      Cell(133, isEqual: true) { $0.cell42() },
      Cell(133, isEqual: true) { $0.cell43() },
      Cell(141, isEqual: true) { $0.cell44() },
      Cell(141, isEqual: true) { $0.cell45() },
      Cell(142, isEqual: false) { $0.cell46() },
      Cell(142, isEqual: false) { $0.cell47() },
      Cell(146, isEqual: false) { $0.cell48() },
      Cell(147, isEqual: true) { $0.cell49() },
      Cell(147, isEqual: true) { $0.cell50() },
      Cell(148, isEqual: true) { $0.cell51() },
      Cell(148, isEqual: true) { $0.cell52() },
      Cell(157, isEqual: true) { $0.cell53() },
      Cell(158, isEqual: false) { $0.cell54() },
      Cell(160, isEqual: false) { $0.cell55() },
      Cell(161, isEqual: false) { $0.cell56() },
      Cell(177, isEqual: true) { $0.cell57() },
      Cell(178, isEqual: true) { $0.cell58() },
      Cell(179, isEqual: true) { $0.cell59() },
      Cell(180, isEqual: true) { $0.cell60() },
      Cell(181, isEqual: false) { $0.cell61() },
      Cell(182, isEqual: false) { $0.cell62() },
    ]
  }

  func cell0() -> [String] { record(x.map { $0 * 2 }) }
  func cell1() -> [String] { record(texts.map(\.count)) }
  func cell2() -> [String] { record(texts.map { ($0.count, $0.isEmpty) }) }
  func cell3() -> [String] { record(e.map { try parse($0) }) }
  func cell4() -> [String] { record(x.scan(0, +).dropFirst(1)) }
  func cell5() -> [String] {
    record(
      Signal<Int, any Error>(deferring: {
        var sum = 0;
        return e.map {
          sum = try add(sum, $0); return sum
        }
      }))
  }
  func cell6() -> [String] { record(x.reduce(0, +)) }
  func cell7() -> [String] {
    record(
      Signal<Int, any Error>(deferring: {
        var sum = 0;
        return e.map {
          sum = try add(sum, $0); return sum
        }.last().replaceEmpty(with: 0)
      }))
  }
  func cell8() -> [String] { record(x.collect()) }
  func cell9() -> [String] { record(x.reduce(0) { count, _ in count + 1 }) }
  func cell10() -> [String] { record(x.reduce(nil as Int?) { min($0 ?? $1, $1) }.ignoreNils()) }
  func cell11() -> [String] { record(x.reduce(nil as Int?) { max($0 ?? $1, $1) }.ignoreNils()) }
  func cell12() -> [String] {
    record(
      x.reduce(nil as Int?) { old, new in old.map { isLess($0, new) ? $0 : new } ?? new }
        .ignoreNils())
  }
  func cell13() -> [String] {
    record(
      x.reduce(nil as Int?) { old, new in old.map { isLess($0, new) ? new : $0 } ?? new }
        .ignoreNils())
  }
  func cell14() -> [String] { record(optionals.replaceNils(with: 0)) }
  func cell15() -> [String] { record(x.replaceEmpty(with: 0)) }
  func cell16() -> [String] { record(x.filter { $0 > 1 }) }
  func cell17() -> [String] { record(e.map { try isValid($0) ? $0 : nil }.ignoreNils()) }
  func cell18() -> [String] { record(texts.compactMap { Int($0) }) }
  func cell19() -> [String] { record(e.map { try find($0) }.ignoreNils()) }
  func cell20() -> [String] { record(x.removeDuplicates()) }
  func cell21() -> [String] { record(x.removeDuplicates(by: ==)) }
  func cell22() -> [String] {
    record(
      e.zipPrevious().map { old, new in try old.map { try areEqual($0, new) } == true ? nil : new }
        .ignoreNils())
  }
  func cell23() -> [String] { record(x.first()) }
  func cell24() -> [String] { record(x.filter { $0 > 1 }.first()) }
  func cell25() -> [String] { record(e.map { try isValid($0) ? $0 : nil }.ignoreNils().first()) }
  func cell26() -> [String] { record(x.last()) }
  func cell27() -> [String] { record(x.filter { $0 > 1 }.last()) }
  func cell28() -> [String] { record(e.map { try isValid($0) ? $0 : nil }.ignoreNils().last()) }
  func cell29() -> [String] { record(x.prefix(maxLength: 2)) }
  func cell30() -> [String] { record(x.prefix(while: { $0 < 3 })) }
  func cell31() -> [String] {
    record(e.map { ($0, try isValid($0)) }.prefix(while: { $0.1 }).map { $0.0 })
  }
  func cell32() -> [String] { record(x.prefix(untilOutputFrom: y.ignoreTerminal())) }
  func cell33() -> [String] { record(x.dropFirst(1)) }
  func cell34() -> [String] { record(x.dropFirst(2)) }
  func cell35() -> [String] {
    record(
      Signal<Int, any Error>(deferring: {
        var isDropping = true;
        return e.map {
          isDropping = try isDropping && isValid($0); return isDropping ? nil : $0
        }.ignoreNils()
      }))
  }
  func cell36() -> [String] {
    record(x.pausable(by: y.first().replaceElements(with: true).prepend(false)))
  }
  func cell37() -> [String] { record(x.output(at: 2)) }
  func cell38() -> [String] { record(x.dropFirst(1).prefix(maxLength: 3)) }
  func cell39() -> [String] { record(x.ignoreOutput()) }
  func cell40() -> [String] {
    record(x.filter { $0 == 3 }.first().replaceElements(with: true).replaceEmpty(with: false))
  }
  func cell41() -> [String] {
    record(x.filter { !($0 > 1) }.first().replaceElements(with: false).replaceEmpty(with: true))
  }
  func cell42() -> [String] {
    record(
      e.map { try isValid($0) ? $0 : nil }.ignoreNils().first().replaceElements(with: true)
        .replaceEmpty(with: false))
  }
  func cell43() -> [String] {
    record(
      e.map { try isValid($0) ? nil : $0 }.ignoreNils().first().replaceElements(with: false)
        .replaceEmpty(with: true))
  }
  func cell44() -> [String] { record(x.zip(with: y)) }
  func cell45() -> [String] { record(x.zip(with: y) { $0 + $1 }) }
  func cell46() -> [String] { record(zip(x, y, z)) }
  func cell47() -> [String] { record(zip(x, y, z, x)) }
  func cell48() -> [String] { record(x.prepend(1)) }
  func cell49() -> [String] { record(x.prepend(y)) }
  func cell50() -> [String] { record(x.append(y)) }
  func cell51() -> [String] { record(x.append(1)) }
  func cell52() -> [String] { record(x.append(SafeSignal(sequence: [1, 2]))) }
  func cell53() -> [String] { record(x.flatMapMerge { load($0) }) }
  func cell54() -> [String] { record(x.flatMapConcat { load($0) }) }
  func cell55() -> [String] { record(x.flatMapLatest { load($0) }) }
  func cell56() -> [String] { record(x.flatMap { [$0, $0] }) }
  func cell57() -> [String] { record(e.mapError { LoadError($0) }) }
  func cell58() -> [String] { record(e.flatMapError { _ in x }) }
  func cell59() -> [String] {
    record(
      e.flatMapError { error -> Signal<Int, any Error> in
        do { return try recover(error) } catch { return .failed(error) }
      })
  }
  func cell60() -> [String] { record(e.replaceError(with: 0)) }
  func cell61() -> [String] { record(e.retry(3)) }
  func cell62() -> [String] { record(x.castError() as Signal<Int, any Error>) }
}
