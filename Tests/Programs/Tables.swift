import Foundation
import ReactiveKit
import ReactiveTrace

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Declarations that the code in the tables of the pages "Coming from ..." uses.

struct LoadError: Error {
  init(_ error: any Error) {}
}
struct TimedOut: Error {}
final class Screen: NSObject, Deallocatable, BindingExecutionContextProvider {
  var number = 0
  let bag = DisposeBag()
  var deallocated: SafeSignal<Void> { bag.deallocated }
  var bindingExecutionContext: ExecutionContext { .immediate }
}
final class Model: ReactiveKit.ObservableObject {
  @Published var name = ""
  @Published var number = 1
}

nonisolated(unsafe) var x = SafeSignal(sequence: [1, 2, 3])
nonisolated(unsafe) var y = SafeSignal(sequence: [4, 5])
nonisolated(unsafe) var z = SafeSignal(just: 6)
nonisolated(unsafe) var e: Signal<Int, any Error> = x.castError()
nonisolated(unsafe) var texts = SafeSignal(sequence: ["1", "a"])
nonisolated(unsafe) var optionals = SafeSignal<Int?>(sequence: [1, nil])
nonisolated(unsafe) var optional: Int? = 1
nonisolated(unsafe) var arrays = SafeSignal(sequence: [[1], [2, 3]])
nonisolated(unsafe) var data = SafeSignal(just: Data("1".utf8))
nonisolated(unsafe) var signals = SafeSignal(sequence: [x, y])
nonisolated(unsafe) var isOpen = SafeSignal(just: true)
nonisolated(unsafe) var ticks = SafeSignal(just: ())
nonisolated(unsafe) var result: Result<Int, any Error> = .success(1)
nonisolated(unsafe) var error: any Error = TimedOut()
nonisolated(unsafe) var property = Property(1)
nonisolated(unsafe) var other = Property(1)
nonisolated(unsafe) var subject = PassthroughSubject<Int, Never>()
nonisolated(unsafe) var failing = PassthroughSubject<Int, any Error>()
nonisolated(unsafe) var taps = PassthroughSubject<Void, Never>()
nonisolated(unsafe) var disposable: any Disposable = SimpleDisposable()
nonisolated(unsafe) var cancellable = AnyCancellable {}
nonisolated(unsafe) var cancellables: Set<AnyCancellable> = []
nonisolated(unsafe) var screen = Screen()
nonisolated(unsafe) var model = Model()
let bag = DisposeBag()
let queue = DispatchQueue(label: "work")
let scheduler = VirtualScheduler()
let url = URL(fileURLWithPath: "/")
let request = URLRequest(url: url)

struct File {
  func close() {}
}
nonisolated(unsafe) var onTap: () -> Void = {}
nonisolated(unsafe) var future = Future<Int, Never> { $0(.success(1)) }
func makeFile() -> File { File() }
func read(_ file: File) -> SafeSignal<Int> { x }
func slow(_ number: Int) -> Int { number }
func load(_ number: Int) -> SafeSignal<Int> { SafeSignal(just: number) }
func fetch(_ number: Int = 1) async throws -> Int { number }
func parse(_ number: Int) throws -> Int { number }
func find(_ number: Int) throws -> Int? { number }
func isValid(_ number: Int) throws -> Bool { number > 0 }
func check(_ number: Int) throws {}
func add(_ sum: Int, _ number: Int) throws -> Int { sum + number }
func areEqual(_ old: Int, _ new: Int) throws -> Bool { old == new }
func isLess(_ old: Int, _ new: Int) -> Bool { old < new }
func recover(_ error: any Error) throws -> Signal<Int, any Error> { e }
func show(_ number: Int) {}
func close() {}
