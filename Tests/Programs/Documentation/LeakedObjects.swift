struct Document {
  func close() {}
}

struct DocumentEditor {
  func open(_ document: Document) -> Document { document }
}

let editor = DocumentEditor()
let document = Document()
let documents = [Document()]
