import CommandSupport

// The commands of the laboratory that may take more than two seconds, and what they do meanwhile.
// `fleet` has a live view of its own.

extension Simulate: LongCommand {
    var activity: String? { "playing a day" }
}

extension Replay: LongCommand {
    var activity: String? { "reading the recording" }
}

extension CaptureGenerate: LongCommand {
    var activity: String? { "generating the records" }
}

extension CaptureToLines: LongCommand {
    var activity: String? { "writing the records as lines" }
}

extension CaptureFromLines: LongCommand {
    var activity: String? { "reading the lines" }
}

extension MergeCaptures: LongCommand {
    var activity: String? { "merging the recordings" }
}

extension CutCapture: LongCommand {
    var activity: String? { "copying a part of the recording" }
}

extension CaptureInfo: LongCommand {
    var activity: String? { "reading the recording" }
}

extension BenchAll: LongCommand {
    var activity: String? { "measuring" }
}

extension BenchBudget: LongCommand {
    var activity: String? { "measuring" }
}

extension BenchCompare: LongCommand {
    var activity: String? { "measuring" }
}

extension BenchFairness: LongCommand {
    var activity: String? { "measuring" }
}

extension BenchFanout: LongCommand {
    var activity: String? { "measuring" }
}

extension BenchFrames: LongCommand {
    var activity: String? { "measuring" }
}

extension BenchHotKey: LongCommand {
    var activity: String? { "measuring" }
}

extension BenchJitter: LongCommand {
    var activity: String? { "measuring" }
}

extension BenchLatency: LongCommand {
    var activity: String? { "measuring" }
}

extension BenchMatch: LongCommand {
    var activity: String? { "measuring" }
}

extension BenchMemory: LongCommand {
    var activity: String? { "measuring" }
}

extension BenchRecord: LongCommand {
    var activity: String? { "measuring" }
}

extension BenchReplay: LongCommand {
    var activity: String? { "measuring" }
}

extension BenchRestart: LongCommand {
    var activity: String? { "measuring" }
}

extension BenchRoute: LongCommand {
    var activity: String? { "measuring" }
}

extension BenchScrape: LongCommand {
    var activity: String? { "measuring" }
}

extension BenchStore: LongCommand {
    var activity: String? { "measuring" }
}

extension BenchTimers: LongCommand {
    var activity: String? { "measuring" }
}
