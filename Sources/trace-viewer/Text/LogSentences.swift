import TerminalUI
import TraceAnalysis

/// The sentences about faults in a log. Each is defined only once.
enum LogSentences {
  static func doubt(_ doubt: Verdict.Doubt) -> String {
    switch doubt {
    case .continues:
      "the log goes on in its next file, which was not read: who ended there is not known"
    case .noEnd:
      "the process never wrote the end of its log"
    case .lost(let count):
      "the recorder could not write \(CountText.make(count, "record"))"
    case .missing(let count):
      "\(CountText.make(count, "record")) that the recorder wrote \(count == 1 ? "is" : "are") missing"
    case .extra(let count):
      "it has \(CountText.make(count, "record")) more than its recorder wrote: another log is mixed into it"
    case .skipped(let count):
      "\(CountText.make(count, "damaged line")) \(count == 1 ? "was" : "were") skipped"
    case .reused(let count):
      "\(CountText.make(count, "number")) \(count == 1 ? "is" : "are") used by several subscriptions, so their records cannot be told apart"
    case .unpackedInPart:
      "a compressed file of it is not whole"
    }
  }

  /// Returns a doubt in a word or two.
  static func shortDoubt(_ doubt: Verdict.Doubt) -> String {
    switch doubt {
    case .continues: "goes on in a next file"
    case .noEnd: "no end"
    case .lost: "records lost"
    case .missing: "records missing"
    case .extra: "too many records"
    case .skipped: "damaged lines"
    case .reused: "numbers used twice"
    case .unpackedInPart: "compressed file not whole"
    }
  }

  static func damage(_ kind: Damage.Kind, _ count: Int) -> String {
    let lines = "\(CountText.make(count, "line")) skipped"
    let records = CountText.make(count, "record")
    return switch kind {
    case .malformed: "not a JSON object; \(lines)"
    case .incomplete: "a JSON object without the keys of a record; \(lines)"
    case .tooLong: "longer than any record can be; \(lines)"
    case .torn: "the last line is torn"
    case .repeated: "this log was read already; the repetition is left out"
    case .beforeGap: "the next file of this log is missing; what this one says is left out"
    case .missingHeader: "the log does not begin with a trace record"
    case .missingSubscribe:
      "\(CountText.make(count, "subscription")) whose beginning is not in the log"
    case .duplicateSubscribe: "a subscription begins again; \(records) ignored"
    case .afterLogEnd: "\(records) after the end of the log"
    case .packingCut: "the compressed file is cut short; all that came before was read"
    case .packingDamaged: "the compressed file is damaged; all that can be unpacked was read"
    case .packingTrailed:
      "something that is not compressed stands behind the end of the compressed file; left out"
    }
  }
}
