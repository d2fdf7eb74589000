@_exported public import ReactiveTrace
