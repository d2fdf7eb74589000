/// Follows the first of 2 signals to send an event, and disposes the others.
@inlinable
public func amb<A: SignalProtocol, B: SignalProtocol>(
  _ a: A, _ b: B
) -> Signal<A.Element, A.Error>
where
  B.Element == A.Element, B.Error == A.Error
{
  Signal(firstOf: [a.toSignal(), b.toSignal()])
}

/// Follows the first of 3 signals to send an event, and disposes the others.
@inlinable
public func amb<A: SignalProtocol, B: SignalProtocol, C: SignalProtocol>(
  _ a: A, _ b: B, _ c: C
) -> Signal<A.Element, A.Error>
where
  B.Element == A.Element, B.Error == A.Error,
  C.Element == A.Element, C.Error == A.Error
{
  Signal(firstOf: [a.toSignal(), b.toSignal(), c.toSignal()])
}

/// Follows the first of 4 signals to send an event, and disposes the others.
@inlinable
public func amb<A: SignalProtocol, B: SignalProtocol, C: SignalProtocol, D: SignalProtocol>(
  _ a: A, _ b: B, _ c: C, _ d: D
) -> Signal<A.Element, A.Error>
where
  B.Element == A.Element, B.Error == A.Error,
  C.Element == A.Element, C.Error == A.Error,
  D.Element == A.Element, D.Error == A.Error
{
  Signal(firstOf: [a.toSignal(), b.toSignal(), c.toSignal(), d.toSignal()])
}

/// Follows the first of 5 signals to send an event, and disposes the others.
@inlinable
public func amb<
  A: SignalProtocol, B: SignalProtocol, C: SignalProtocol, D: SignalProtocol, E: SignalProtocol
>(
  _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
) -> Signal<A.Element, A.Error>
where
  B.Element == A.Element, B.Error == A.Error,
  C.Element == A.Element, C.Error == A.Error,
  D.Element == A.Element, D.Error == A.Error,
  E.Element == A.Element, E.Error == A.Error
{
  Signal(firstOf: [a.toSignal(), b.toSignal(), c.toSignal(), d.toSignal(), e.toSignal()])
}

/// Follows the first of 6 signals to send an event, and disposes the others.
@inlinable
public func amb<
  A: SignalProtocol, B: SignalProtocol, C: SignalProtocol, D: SignalProtocol, E: SignalProtocol,
  F: SignalProtocol
>(
  _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
) -> Signal<A.Element, A.Error>
where
  B.Element == A.Element, B.Error == A.Error,
  C.Element == A.Element, C.Error == A.Error,
  D.Element == A.Element, D.Error == A.Error,
  E.Element == A.Element, E.Error == A.Error,
  F.Element == A.Element, F.Error == A.Error
{
  Signal(firstOf: [
    a.toSignal(), b.toSignal(), c.toSignal(), d.toSignal(), e.toSignal(), f.toSignal(),
  ])
}
