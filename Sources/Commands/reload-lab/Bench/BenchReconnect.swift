import ArgumentParser
import CommandSupport
import Cryptography
import Glibc
import LibuvLoop
import Platform
import Times

/// `bench reconnect`: connects devices with TLS and, when standard input ends, cuts all of their
/// connections and connects them at once. `bench tls` starts it as a process.
struct BenchReconnect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reconnect",
        abstract: "Reconnect devices at once; print how long it took, and how many were cut off.",
        shouldDisplay: false
    )

    @Argument(help: "The server's port.")
    var port: UInt16

    @Option(help: "Number of devices.")
    var devices: Int

    @Flag(help: "Resume the sessions by tickets.")
    var resumes = false

    @Flag(help: "The server is a reference in C.")
    var reference = false

    func run() throws {
        // Real devices are elsewhere; here they must not take the processors from what is measured.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
        _ = raiseFileDescriptorLimit()
        let bench = try BenchLoop()
        let crowd = try ReconnectingDevices(
            devices,
            on: bench,
            port: port,
            wire: reference ? .forwarding : .router,
            // Not to verify the server's certificate makes the devices faster than real ones.
            security: TLSClientContext(
                trust: .anybody,
                resumes: resumes,
                protocols: [BenchSecurity.protocolName]
            )
        )
        try crowd.connect()
        printLine("connected")
        try bench.runUntilInput()
        let time = try crowd.reconnect()
        if resumes != (crowd.resumedCount > devices / 2) {
            throw BenchFailure("\(crowd.resumedCount) of \(devices) sessions were resumed")
        }
        printLine("\(time.inSeconds) \(crowd.endedCount)")
        try bench.run(until: "the process is stopped", within: 3_600) { false }
    }

    /// Starts the process, and waits until its devices are connected.
    static func start(
        _ port: UInt16,
        devices: Int,
        resumes: Bool,
        isReference: Bool
    ) throws -> BenchProcess {
        try BenchProcess(
            "bench reconnect",
            program: .lab,
            arguments: ["bench", "reconnect", "\(port)", "--devices", "\(devices)"]
                + (resumes ? ["--resumes"] : []) + (isReference ? ["--reference"] : [])
        )
    }
}
