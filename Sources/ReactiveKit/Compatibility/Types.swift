// ReactiveKit 3.0 and 3.7 use these names for types.

@available(*, deprecated, renamed: "Never")
public typealias NoError = Never

@available(*, deprecated, renamed: "SafeSignal")
public typealias Signal1<Element> = Signal<Element, Never>

@available(*, deprecated, renamed: "SafeObserver")
public typealias Observer1<Element> = SafeObserver<Element>

@available(*, deprecated, renamed: "Signal.Event")
public typealias Event<Element, Error: Swift.Error> = Signal<Element, Error>.Event

@available(*, deprecated, renamed: "PassthroughSubject")
public typealias PublishSubject<Element, Error: Swift.Error> = PassthroughSubject<Element, Error>

@available(*, deprecated, renamed: "PassthroughSubject")
public typealias PublishSubject1<Element> = PassthroughSubject<Element, Never>

@available(*, deprecated, renamed: "PassthroughSubject")
public typealias SafePublishSubject<Element> = PassthroughSubject<Element, Never>

@available(*, deprecated, renamed: "SafeReplaySubject")
public typealias ReplaySubject1<Element> = ReplaySubject<Element, Never>

@available(*, deprecated, renamed: "SafeReplayOneSubject")
public typealias ReplayOneSubject1<Element> = ReplayOneSubject<Element, Never>
