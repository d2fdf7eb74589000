/// A subject that remembers nothing: observers get what is sent from then on.
public final class PassthroughSubject<Element, Error: Swift.Error>: Subject<Element, Error>,
  @unchecked Sendable
{
  public convenience init() {
    self.init(core: SubjectCore(replayLimit: 0))
  }

  @inlinable
  public override func observe(
    with observer: @escaping Observer<Element, Error>
  ) -> any Disposable {
    observeChain(with: observer)
  }

  @inlinable
  public override func _attach(
    _ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable
  ) {
    core.attach(observer, to: chain)
  }
}
