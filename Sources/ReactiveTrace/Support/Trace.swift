/// The log of this process, with functions that start and stop it.
///
/// Most programs don't need these functions. With `REACTIVE_TRACE=log.jsonl` in the environment,
/// the log starts at the first traced subscription and ends when the process exits.
public enum Trace {}
