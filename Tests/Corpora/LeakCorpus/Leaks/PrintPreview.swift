import ReactiveKit

extension LeakCase {
  static let printPreview = cycle(
    "captures-structure", lanes: ["print.pages"],
    path: ["captures job (PrintJob), which holds PrintPreview", "PrintPreview.bag"],
    breaks: "closure",
    release: "An optimized closure captures the parts of a structure, not the structure.",
    .now {
      let preview = PrintPreview()
      preview.open()
      return preview
    })
}

enum PrintSpooler {
  static let pages = PassthroughSubject<Int, Never>()
}

struct PrintJob {
  let title: String
  let preview: PrintPreview
}

/// A preview that captures a structure for its title. The structure retains the preview.
final class PrintPreview {
  private let bag = DisposeBag()

  func open() {
    let job = PrintJob(title: "report", preview: self)
    PrintSpooler.pages
      .traced("print.pages")
      .observeNext { page in log(job, page) }  // observed
      .dispose(in: bag)
  }
}

@inline(never)
private func log(_ job: PrintJob, _ page: Int) { precondition(!job.title.isEmpty && page >= 0) }
