import ArgumentParser
import CommandSupport
import Glibc
import LibuvLoop
import Platform
import Times

/// `bench hostile`: sends, until standard input ends, frames that are costly for the router. `bench
/// fairness` starts it as a process.
struct BenchHostile: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hostile",
        abstract: "Send as fast as the router reads, and print the frames per second.",
        shouldDisplay: false
    )

    @Argument(help: "Kind of traffic to send.")
    var kind: HostileSender.Kind

    @Argument(help: "The router's port.")
    var port: UInt16

    @Option(help: "Its port for publishers over HTTP.")
    var publish: UInt16

    @Option(help: "The port of its admin server.")
    var admin: UInt16

    @Option(help: "Its process.")
    var process: Int32

    func run() throws {
        // Real senders run elsewhere; here they must not take the processors from what is measured.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
        let bench = try BenchLoop()
        let target = HostileTarget(publishPort: publish, adminPort: admin)
        if kind == .appFile {
            let signals = try HostileSignals(to: process, on: bench)
            try measure(bench) { signals.count }
            try signals.stop()
        } else if let requests = try HostileRequests(kind, on: bench, to: target) {
            try measure(bench) { requests.answerCount }
            try requests.stop()
        } else {
            let sender = try HostileSender(kind, on: bench, port: port)
            try measure(bench) { sender.sentCount }
            try sender.stop()
        }
    }

    /// Prints how many there are a second, once standard input ends.
    private func measure(_ bench: BenchLoop, count: @escaping () -> Int) throws {
        try bench.run(until: "the hostile sender began") { count() > 0 }
        printLine("began")
        let start = ExactTime.now
        let before = count()
        try bench.runUntilInput()
        let seconds = (.now - start).inSeconds
        printLine("\(Double(count() - before) / seconds)")
    }
}

/// Where a hostile sender's requests go.
struct HostileTarget {
    /// The port for publishers over HTTP.
    var publishPort: UInt16
    /// The port of the admin server.
    var adminPort: UInt16
}

/// Makes a router read its app file again, some times a second.
final class HostileSignals: TimerOwner {
    private let process: Int32
    private var timer: LoopTimer?
    /// The number of signals sent.
    private(set) var count = 0

    /// - Parameters:
    ///   - process: the router's process.
    ///   - bench: the loop of the timer.
    /// - Throws: an error of the system.
    init(to process: Int32, on bench: BenchLoop) throws {
        self.process = process
        bench.keep(self)
        timer = try LoopTimer(bench.loop, owner: self)
        try timer?.start(after: .milliseconds(1), repeating: .milliseconds(500))
    }

    func timerFired(_ timer: LoopTimer) {
        count += 1
        kill(process, SIGHUP)
    }

    /// Sends no more.
    func stop() throws { timer?.close() }
}
