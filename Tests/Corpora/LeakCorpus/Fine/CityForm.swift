import ReactiveKit

extension LeakCase {
  static let cityForm = fine(
    "bidirectional-bind-weak", lanes: ["form.city"],
    .now {
      let form = CityForm()
      form.bind(to: Cities.home)
      Cities.home.value = "Vienna"
      return form
    })
}

enum Cities {
  static let home = Property("")
}

/// A form field that other code can bind to. It retains the property, but not the form.
struct CityField: SignalProtocol, BindableProtocol {
  weak var form: CityForm?
  let city: Property<String>

  func observe(with observer: @escaping Observer<String, Never>) -> any Disposable {
    city.observe(with: observer)
  }

  func bind(signal: Signal<String, Never>) -> any Disposable {
    let disposable =
      signal
      .traced("form.city")
      .observeNext { [weak form] in form?.city.value = $0 }  // observed
    if let form { disposable.dispose(in: form.bag) }
    return disposable
  }
}

final class CityForm {
  let city = Property("")
  let bag = DisposeBag()

  func bind(to other: Property<String>) {
    CityField(form: self, city: city).bidirectionalBind(to: other).dispose(in: bag)
  }
}
