import Hummingbird
import ReactiveTrace

/// A middleware that gives each request a scope in the log, named after its method and path.
///
/// The handler of a stream returns before the stream begins, so a stream has a second scope, which
/// lasts until the client disconnects.
struct RequestScopes<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let name = "\(request.method) \(request.uri.path)"
    var response = try await Trace.withScope(name) { try await next(request, context) }
    guard response.body.contentLength == nil else { return response }
    let body = response.body
    response.body = ResponseBody { writer in
      try await Trace.withScope("\(name) stream") { try await body.write(writer) }
    }
    return response
  }
}
