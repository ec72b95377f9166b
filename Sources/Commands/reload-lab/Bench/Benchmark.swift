import CommandSupport

/// A benchmark: a command that measures, and takes long.
protocol Benchmark: LongCommand {}

extension Benchmark {
    var activity: String? { "measuring" }
}

extension BenchAll: Benchmark {}
extension BenchBudget: Benchmark {}
extension BenchClients: Benchmark {}
extension BenchCompare: Benchmark {}
extension BenchFairness: Benchmark {}
extension BenchFanout: Benchmark {}
extension BenchFrames: Benchmark {}
extension BenchHotKey: Benchmark {}
extension BenchJitter: Benchmark {}
extension BenchLatency: Benchmark {}
extension BenchMatch: Benchmark {}
extension BenchMemory: Benchmark {}
extension BenchRecord: Benchmark {}
extension BenchReplay: Benchmark {}
extension BenchRestart: Benchmark {}
extension BenchRoute: Benchmark {}
extension BenchScrape: Benchmark {}
extension BenchStore: Benchmark {}
extension BenchTLS: Benchmark {}
extension BenchTimers: Benchmark {}
extension BenchTokens: Benchmark {}
