import Foundation

/// A file in the temporary folder that ends with the process.
private func temporaryFile(_ name: String) -> String {
  NSTemporaryDirectory() + "shop-\(getpid())-\(name)"
}

/// Locks a file that another descriptor of the process has locked.
public func lockFile() -> Bool {
  let path = temporaryFile("stock")
  let first = open(path, O_CREAT | O_RDWR, 0o600)
  let second = open(path, O_RDWR)
  unlink(path)
  flock(first, LOCK_EX)
  return flock(second, LOCK_EX) == 0  // culprit: fileLock
}

/// Locks a part of a file that a child process has locked.
public func lockRecord() throws -> Bool {
  let path = temporaryFile("record")
  let file = open(path, O_CREAT | O_RDWR, 0o600)
  defer { unlink(path) }
  let tool = Process()
  tool.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
  let program = """
    import fcntl, sys, time
    file = open(sys.argv[1], "r+")
    fcntl.lockf(file, fcntl.LOCK_EX)
    print("locked", flush=True)
    time.sleep(100000)
    """
  tool.arguments = ["-c", program, path]
  let output = Pipe()
  tool.standardOutput = output
  try tool.run()
  _ = output.fileHandleForReading.availableData
  var lock = flock()
  lock.l_type = Int16(F_WRLCK)
  return fcntl(file, F_SETLKW, &lock) == 0  // culprit: recordLock
}

/// Opens a FIFO into which nobody writes.
public func readOrders() -> Int32 {
  let path = temporaryFile("orders")
  mkfifo(path, 0o600)
  return open(path, O_RDONLY)  // culprit: fifo
}

/// A barrier that one thread fewer than needed reaches.
@inline(never)
public func meet() -> Int32 {
  let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)
  pthread_barrier_init(barrier, nil, 2)
  defer { barrier.deallocate() }
  return pthread_barrier_wait(barrier)  // culprit: barrier
}
