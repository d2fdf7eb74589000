extension Subject: BindableProtocol {
  /// Sends the signal's elements to this subject until the signal ends or the subject is
  /// deallocated. Does not send the signal's terminal event.
  public func bind(signal: Signal<Element, Never>) -> any Disposable {
    let disposable = signal.observeNext { [weak self] element in self?.on(.next(element)) }
    disposeBag.add(disposable: disposable)
    return disposable
  }
}
