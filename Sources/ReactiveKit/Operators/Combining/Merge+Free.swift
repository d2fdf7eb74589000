/// Sends the elements of 2 signals as they arrive. Completes when all have completed.
@inlinable
public func merge<A: SignalProtocol, B: SignalProtocol>(
  _ a: A, _ b: B
) -> Signal<A.Element, A.Error>
where
  B.Element == A.Element, B.Error == A.Error
{
  Signal(merging: [a.toSignal(), b.toSignal()])
}

/// Sends the elements of 3 signals as they arrive. Completes when all have completed.
@inlinable
public func merge<A: SignalProtocol, B: SignalProtocol, C: SignalProtocol>(
  _ a: A, _ b: B, _ c: C
) -> Signal<A.Element, A.Error>
where
  B.Element == A.Element, B.Error == A.Error,
  C.Element == A.Element, C.Error == A.Error
{
  Signal(merging: [a.toSignal(), b.toSignal(), c.toSignal()])
}

/// Sends the elements of 4 signals as they arrive. Completes when all have completed.
@inlinable
public func merge<A: SignalProtocol, B: SignalProtocol, C: SignalProtocol, D: SignalProtocol>(
  _ a: A, _ b: B, _ c: C, _ d: D
) -> Signal<A.Element, A.Error>
where
  B.Element == A.Element, B.Error == A.Error,
  C.Element == A.Element, C.Error == A.Error,
  D.Element == A.Element, D.Error == A.Error
{
  Signal(merging: [a.toSignal(), b.toSignal(), c.toSignal(), d.toSignal()])
}

/// Sends the elements of 5 signals as they arrive. Completes when all have completed.
@inlinable
public func merge<
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
  Signal(merging: [a.toSignal(), b.toSignal(), c.toSignal(), d.toSignal(), e.toSignal()])
}

/// Sends the elements of 6 signals as they arrive. Completes when all have completed.
@inlinable
public func merge<
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
  Signal(merging: [
    a.toSignal(), b.toSignal(), c.toSignal(), d.toSignal(), e.toSignal(), f.toSignal(),
  ])
}
