import ReactiveKit

extension LeakCase {
  static let addressForm = cycle(
    "bidirectional-bind", lanes: ["form.street"], path: ["AddressForm.bag"],
    also: ["StreetField.form"], breaks: "closure", withoutLanes: 2,
    .now {
      let form = AddressForm()
      form.bind(to: Addresses.street)
      Addresses.street.value = "Main Street"
      return form
    })
}

enum Addresses {
  static let street = Property("")
}

/// A form field that other code can bind to. Its closure retains the form.
struct StreetField: SignalProtocol, BindableProtocol {
  let form: AddressForm

  func observe(with observer: @escaping Observer<String, Never>) -> any Disposable {
    form.street.observe(with: observer)
  }

  func bind(signal: Signal<String, Never>) -> any Disposable {
    let disposable =
      signal
      .traced("form.street")
      .observeNext { form.street.value = $0 }  // observed
    disposable.dispose(in: form.bag)
    return disposable
  }
}

final class AddressForm {
  let street = Property("")
  let bag = DisposeBag()

  func bind(to other: Property<String>) {
    StreetField(form: self).bidirectionalBind(to: other).dispose(in: bag)
  }
}
