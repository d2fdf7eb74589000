// These functions join two to six signals with the same error type. Each additional signal adds one
// join of two signals.

/// Combines the latest elements of 2 signals with the closure. Sends a result each time any signal
/// sends an element, once all have sent one.
@inlinable
public func combineLatest<A: SignalProtocol, B: SignalProtocol, U>(
  _ a: A, _ b: B,
  combine: @escaping (A.Element, B.Element) -> U
) -> Signal<U, A.Error>
where B.Error == A.Error {
  a.combineLatest(with: b, combine: combine)
}

/// Sends the latest elements of 2 signals as a tuple, each time any signal sends an element, once
/// all have sent one.
@inlinable
public func combineLatest<A: SignalProtocol, B: SignalProtocol>(
  _ a: A, _ b: B
) -> Signal<(A.Element, B.Element), A.Error>
where B.Error == A.Error {
  combineLatest(a, b) { ($0, $1) }
}

/// Combines the latest elements of 3 signals with the closure. Sends a result each time any signal
/// sends an element, once all have sent one.
@inlinable
public func combineLatest<A: SignalProtocol, B: SignalProtocol, C: SignalProtocol, U>(
  _ a: A, _ b: B, _ c: C,
  combine: @escaping (A.Element, B.Element, C.Element) -> U
) -> Signal<U, A.Error>
where B.Error == A.Error, C.Error == A.Error {
  combineLatest(a, b).combineLatest(with: c) { combine($0.0, $0.1, $1) }
}

/// Sends the latest elements of 3 signals as a tuple, each time any signal sends an element, once
/// all have sent one.
@inlinable
public func combineLatest<A: SignalProtocol, B: SignalProtocol, C: SignalProtocol>(
  _ a: A, _ b: B, _ c: C
) -> Signal<(A.Element, B.Element, C.Element), A.Error>
where B.Error == A.Error, C.Error == A.Error {
  combineLatest(a, b, c) { ($0, $1, $2) }
}

/// Combines the latest elements of 4 signals with the closure. Sends a result each time any signal
/// sends an element, once all have sent one.
@inlinable
public func combineLatest<
  A: SignalProtocol, B: SignalProtocol, C: SignalProtocol, D: SignalProtocol, U
>(
  _ a: A, _ b: B, _ c: C, _ d: D,
  combine: @escaping (A.Element, B.Element, C.Element, D.Element) -> U
) -> Signal<U, A.Error>
where B.Error == A.Error, C.Error == A.Error, D.Error == A.Error {
  combineLatest(a, b, c).combineLatest(with: d) { combine($0.0, $0.1, $0.2, $1) }
}

/// Sends the latest elements of 4 signals as a tuple, each time any signal sends an element, once
/// all have sent one.
@inlinable
public func combineLatest<
  A: SignalProtocol, B: SignalProtocol, C: SignalProtocol, D: SignalProtocol
>(
  _ a: A, _ b: B, _ c: C, _ d: D
) -> Signal<(A.Element, B.Element, C.Element, D.Element), A.Error>
where B.Error == A.Error, C.Error == A.Error, D.Error == A.Error {
  combineLatest(a, b, c, d) { ($0, $1, $2, $3) }
}

/// Combines the latest elements of 5 signals with the closure. Sends a result each time any signal
/// sends an element, once all have sent one.
@inlinable
public func combineLatest<
  A: SignalProtocol, B: SignalProtocol, C: SignalProtocol, D: SignalProtocol, E: SignalProtocol, U
>(
  _ a: A, _ b: B, _ c: C, _ d: D, _ e: E,
  combine: @escaping (A.Element, B.Element, C.Element, D.Element, E.Element) -> U
) -> Signal<U, A.Error>
where B.Error == A.Error, C.Error == A.Error, D.Error == A.Error, E.Error == A.Error {
  combineLatest(a, b, c, d).combineLatest(with: e) { combine($0.0, $0.1, $0.2, $0.3, $1) }
}

/// Sends the latest elements of 5 signals as a tuple, each time any signal sends an element, once
/// all have sent one.
@inlinable
public func combineLatest<
  A: SignalProtocol, B: SignalProtocol, C: SignalProtocol, D: SignalProtocol, E: SignalProtocol
>(
  _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
) -> Signal<(A.Element, B.Element, C.Element, D.Element, E.Element), A.Error>
where B.Error == A.Error, C.Error == A.Error, D.Error == A.Error, E.Error == A.Error {
  combineLatest(a, b, c, d, e) { ($0, $1, $2, $3, $4) }
}

/// Combines the latest elements of 6 signals with the closure. Sends a result each time any signal
/// sends an element, once all have sent one.
@inlinable
public func combineLatest<
  A: SignalProtocol, B: SignalProtocol, C: SignalProtocol, D: SignalProtocol, E: SignalProtocol,
  F: SignalProtocol, U
>(
  _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F,
  combine: @escaping (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element) -> U
) -> Signal<U, A.Error>
where
  B.Error == A.Error, C.Error == A.Error, D.Error == A.Error, E.Error == A.Error, F.Error == A.Error
{
  combineLatest(a, b, c, d, e).combineLatest(with: f) { combine($0.0, $0.1, $0.2, $0.3, $0.4, $1) }
}

/// Sends the latest elements of 6 signals as a tuple, each time any signal sends an element, once
/// all have sent one.
@inlinable
public func combineLatest<
  A: SignalProtocol, B: SignalProtocol, C: SignalProtocol, D: SignalProtocol, E: SignalProtocol,
  F: SignalProtocol
>(
  _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
) -> Signal<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element), A.Error>
where
  B.Error == A.Error, C.Error == A.Error, D.Error == A.Error, E.Error == A.Error, F.Error == A.Error
{
  combineLatest(a, b, c, d, e, f) { ($0, $1, $2, $3, $4, $5) }
}
