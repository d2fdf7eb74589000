import Foundation

struct Describes: CustomStringConvertible { var description: String { "describes" } }
struct Debugs: CustomDebugStringConvertible { var debugDescription: String { "debugs" } }
struct DoesBoth: CustomStringConvertible, CustomDebugStringConvertible {
  var description: String { "alone" }
  var debugDescription: String { "inside" }
}
struct Streams: TextOutputStreamable {
  func write(to target: inout some TextOutputStream) { target.write("streams") }
}
struct StreamsAndDescribes: TextOutputStreamable, CustomStringConvertible {
  var description: String { "description" }
  func write(to target: inout some TextOutputStream) { target.write("stream") }
}
struct Reflects: CustomReflectable {
  var customMirror: Mirror { Mirror(self, children: ["a": 1, "b": "x"]) }
}
struct ReflectsAsTuple: CustomReflectable {
  var customMirror: Mirror { Mirror(self, unlabeledChildren: [1, 2], displayStyle: .tuple) }
}
struct ReflectsAsEnum: CustomReflectable {
  var customMirror: Mirror { Mirror(self, children: ["x": 1], displayStyle: .enum) }
}
struct ReflectsAsTupleAndDescribes: CustomReflectable, CustomStringConvertible {
  var customMirror: Mirror { Mirror(self, unlabeledChildren: [1, 2], displayStyle: .tuple) }
  var description: String { "both" }
}
enum EnumDescribes: CustomStringConvertible {
  case a, b(Int)
  var description: String { "enum describes" }
}
enum EnumReflects: CustomReflectable {
  case a, b(Int)
  var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .enum) }
}
struct Conditional<Value> { var value: Value }
extension Conditional: CustomStringConvertible where Value: Numbered {
  var description: String { "numbered" }
}
struct Options: OptionSet { let rawValue: UInt8 }
struct RawStruct: RawRepresentable { var rawValue: String }
struct ErrorWithText: LocalizedError { var errorDescription: String? { "text" } }
struct Model: Codable, Identifiable {
  var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F");
  var at = Date(timeIntervalSince1970: 0)
}
@MainActor struct Isolated { var value = 1 }
extension Isolated: @MainActor CustomStringConvertible { var description: String { "isolated" } }

/// Compares types with custom descriptions, and types of Foundation.
func compareOwnTexts(_ compare: inout Comparison) {
  compare(Describes())
  compare(Debugs())
  compare(DoesBoth())
  compare(Streams())
  compare(StreamsAndDescribes())
  compare(Reflects())
  compare(ReflectsAsTuple())
  compare(ReflectsAsEnum())
  compare(ReflectsAsTupleAndDescribes())
  compare(EnumDescribes.a, .b(1))
  compare(EnumReflects.a, .b(1))
  compare(Conditional(value: 1))
  compare(Conditional(value: Item()))
  compare(Options(rawValue: 3), [])
  compare(RawStruct(rawValue: "raw"))
  compare(ErrorWithText())
  compare(Model())
  compare(Set([Options(rawValue: 1)].map(\.rawValue)))
  compare([Describes()], [])
  compare([DoesBoth(): 1].mapValues { _ in DoesBoth() })
  compare(UUID(), UUID())
  compare(Locale.LanguageDirection.leftToRight)
  compare(Date(timeIntervalSince1970: 0))
  compare(Data([1, 2, 3]))
  compare(URL(string: "https://example.com/a?b=c"))
  compare(Decimal(string: "1.25"))
  compare(IndexPath(indexes: [1, 2]))
  compare(IndexSet([1, 2, 5]))
  compare(DateComponents(year: 2026, month: 1))
  compare(DateInterval(start: Date(timeIntervalSince1970: 0), duration: 5))
  compare(Locale(identifier: "en_US"))
  compare(TimeZone(secondsFromGMT: 0))
  compare(CharacterSet.decimalDigits)
  compare(Notification(name: Notification.Name("a")))
  compare(Notification.Name("a"))
  compare(NSRange(location: 1, length: 2))
  compare(CGPoint(x: 1, y: 2))
  compare(CGRect(x: 1, y: 2, width: 3, height: 4))
  compare(AttributedString("a"))
  compare(NSString(string: "a"))
  compare(NSNumber(value: 1))
  compare(NSError(domain: "d", code: 1))
  compare(CocoaError(.fileNoSuchFile))
  compare(URLError(.badURL))
  compare(Measurement(value: 1, unit: UnitLength.meters))
  compare(PersonNameComponents())
  compare(JSONEncoder.OutputFormatting.sortedKeys)
  compare(Calendar.Component.day)
  compare(ComparisonResult.orderedAscending)
  compare(timespec(tv_sec: 1, tv_nsec: 2))
  compare(DispatchTimeInterval.seconds(1))
  compare(DispatchQoS.background)
  compare(String.Encoding.utf8)
  compare(Progress.FileOperationKind.copying)
  compare(Isolated())
}

extension DoesBoth: Hashable {}
