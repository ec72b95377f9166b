import ArgumentParser
import CommandSupport
import Glibc
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

    func run() throws {
        // Real senders run elsewhere; here they must not take the processors from what is measured.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
        let bench = try BenchLoop()
        let sender = try HostileSender(kind, on: bench, port: port)
        try bench.run(until: "the hostile sender began") { sender.sentCount > 0 }
        printLine("began")
        let start = ExactTime.now
        let before = sender.sentCount
        try bench.runUntilInput()
        let seconds = (.now - start).inSeconds
        printLine("\(Double(sender.sentCount - before) / seconds)")
        try sender.stop()
    }
}
