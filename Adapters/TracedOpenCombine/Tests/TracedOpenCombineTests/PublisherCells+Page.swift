// Made by Tests/Scripts/tables.py from the page "Coming from Combine".
import Foundation
import OpenCombine

extension PublisherCells {
  static var all: [Cell<PublisherCells>] {
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
  func cell2() -> [String] { record(texts.map(\.count, \.isEmpty)) }
  func cell3() -> [String] { record(e.tryMap { try parse($0) }) }
  func cell4() -> [String] { record(x.scan(0, +)) }
  func cell5() -> [String] { record(e.tryScan(0) { try add($0, $1) }) }
  func cell6() -> [String] { record(x.reduce(0, +)) }
  func cell7() -> [String] { record(e.tryReduce(0) { try add($0, $1) }) }
  func cell8() -> [String] { record(x.collect()) }
  func cell9() -> [String] { record(x.count()) }
  func cell10() -> [String] { record(x.min()) }
  func cell11() -> [String] { record(x.max()) }
  func cell12() -> [String] { record(x.min(by: isLess)) }
  func cell13() -> [String] { record(x.max(by: isLess)) }
  func cell14() -> [String] { record(optionals.replaceNil(with: 0)) }
  func cell15() -> [String] { record(x.replaceEmpty(with: 0)) }
  func cell16() -> [String] { record(x.filter { $0 > 1 }) }
  func cell17() -> [String] { record(e.tryFilter { try isValid($0) }) }
  func cell18() -> [String] { record(texts.compactMap { Int($0) }) }
  func cell19() -> [String] { record(e.tryCompactMap { try find($0) }) }
  func cell20() -> [String] { record(x.removeDuplicates()) }
  func cell21() -> [String] { record(x.removeDuplicates(by: ==)) }
  func cell22() -> [String] { record(e.tryRemoveDuplicates(by: areEqual)) }
  func cell23() -> [String] { record(x.first()) }
  func cell24() -> [String] { record(x.first(where: { $0 > 1 })) }
  func cell25() -> [String] { record(e.tryFirst(where: { try isValid($0) })) }
  func cell26() -> [String] { record(x.last()) }
  func cell27() -> [String] { record(x.last(where: { $0 > 1 })) }
  func cell28() -> [String] { record(e.tryLast(where: { try isValid($0) })) }
  func cell29() -> [String] { record(x.prefix(2)) }
  func cell30() -> [String] { record(x.prefix(while: { $0 < 3 })) }
  func cell31() -> [String] { record(e.tryPrefix(while: { try isValid($0) })) }
  func cell32() -> [String] { record(x.prefix(untilOutputFrom: y)) }
  func cell33() -> [String] { record(x.dropFirst()) }
  func cell34() -> [String] { record(x.dropFirst(2)) }
  func cell35() -> [String] { record(e.tryDrop(while: { try isValid($0) })) }
  func cell36() -> [String] { record(x.drop(untilOutputFrom: y)) }
  func cell37() -> [String] { record(x.output(at: 2)) }
  func cell38() -> [String] { record(x.output(in: 1...3)) }
  func cell39() -> [String] { record(x.ignoreOutput()) }
  func cell40() -> [String] { record(x.contains(3)) }
  func cell41() -> [String] { record(x.allSatisfy { $0 > 1 }) }
  func cell42() -> [String] { record(e.tryContains(where: isValid)) }
  func cell43() -> [String] { record(e.tryAllSatisfy(isValid)) }
  func cell44() -> [String] { record(x.zip(y)) }
  func cell45() -> [String] { record(x.zip(y) { $0 + $1 }) }
  func cell46() -> [String] { record(x.zip(y, z)) }
  func cell47() -> [String] { record(x.zip(y, z, x)) }
  func cell48() -> [String] { record(x.prepend(1)) }
  func cell49() -> [String] { record(x.prepend(y)) }
  func cell50() -> [String] { record(x.append(y)) }
  func cell51() -> [String] { record(x.append(1)) }
  func cell52() -> [String] { record(x.append([1, 2])) }
  func cell53() -> [String] { record(x.flatMap { load($0) }) }
  func cell54() -> [String] { record(x.flatMap(maxPublishers: .max(1)) { load($0) }) }
  func cell55() -> [String] { record(x.map { load($0) }.switchToLatest()) }
  func cell56() -> [String] { record(x.flatMap { [$0, $0].publisher }) }
  func cell57() -> [String] { record(e.mapError { LoadError($0) }) }
  func cell58() -> [String] { record(e.catch { _ in x }) }
  func cell59() -> [String] { record(e.tryCatch { try recover($0) }) }
  func cell60() -> [String] { record(e.replaceError(with: 0)) }
  func cell61() -> [String] { record(e.retry(3)) }
  func cell62() -> [String] { record(x.setFailureType(to: (any Error).self)) }
}
