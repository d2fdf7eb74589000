// A small shop that takes orders as lines of text, from standard input and from TCP connections.
//
// With --mistakes, it makes two mistakes that are common in servers. README.md goes from their
// symptoms to the lines of code.

import Foundation

let arguments: Arguments
do {
  arguments = try Arguments(CommandLine.arguments.dropFirst())
} catch {
  FileHandle.standardError.write(Data("Error: \(error)\n\n\(Arguments.usage)\n".utf8))
  exit(64)
}
if arguments.wantsHelp {
  print(Arguments.usage)
  exit(0)
}

// A client that is gone is noticed when its input ends. Writing to it must not end the server.
signal(SIGPIPE, SIG_IGN)

let listener: Listener?
do {
  listener = try arguments.port.map { port throws(ListenerError) in try Listener(port: port) }
} catch {
  FileHandle.standardError.write(Data("Error: \(error)\n".utf8))
  exit(69)
}

let server = Server(makesMistakes: arguments.makesMistakes)
exit(await server.run(listener))
