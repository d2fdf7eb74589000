import ReactiveKit

extension LeakCase {
  static let pickerForm = cycle(
    "back-reference-in-struct", lanes: ["form.entries"],
    path: ["PickerForm.picker", "ValuePicker.handler.owner"],
    also: ["ValuePicker.handler", "PickerForm.bag"],
    breaks: "ValuePicker.handler.owner",
    .now {
      let form = PickerForm()
      form.open()
      Entries.texts.send("Ada")
      return form
    })
}

enum Entries {
  static let texts = PassthroughSubject<String, Never>()
}

/// A form that owns a picker. The picker has a structure with a reference back to the form.
final class PickerForm {
  private var text = ""
  private var picker: ValuePicker?
  private let bag = DisposeBag()

  func open() {
    let picker = ValuePicker()
    picker.handler = PickerHandler(owner: self)
    self.picker = picker
    Entries.texts
      .traced("form.entries")
      .observeNext { [weak self] in self?.text = $0 }  // observed
      .dispose(in: bag)
  }
}

final class ValuePicker {
  var handler: PickerHandler?
}

struct PickerHandler {
  var owner: PickerForm
  var title = ""
}
