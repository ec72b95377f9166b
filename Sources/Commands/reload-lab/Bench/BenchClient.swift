import ArgumentParser
import CommandSupport
import Glibc
import Platform
import ReloadRouterClient
import Times

/// `bench client`: pushes with the client library in Swift. `bench clients` starts it, as it starts
/// those in other languages.
struct BenchClient: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client",
        abstract: "Push small payloads over one connection, and print how long it took.",
        shouldDisplay: false
    )

    @Argument(help: "The router's host.")
    var host: String

    @Argument(help: "The router's port.")
    var port: UInt16

    @Argument(help: "The app to push to.")
    var app: String

    @Argument(help: "The publisher's token.")
    var token: String

    @Argument(help: "The producer's name.")
    var producer: String

    @Argument(help: "The number of pushes.")
    var count: Int

    func run() async throws {
        let publisher = try await Publisher.connect(
            to: "\(host):\(port)",
            app: app,
            token: token,
            producer: producer,
            security: .plaintext
        )
        let (start, used) = (ExactTime.now, Self.cpuTime)
        for number in 0..<count {
            try await publisher.push(
                #"{"event":"damage","character":"elf-42","amount":\#(number)}"#
            )
        }
        try await publisher.flush()
        let (seconds, cpu) = ((.now - start).inSeconds, (Self.cpuTime - used).inSeconds)
        publisher.close()
        printLine(#"{"pushes":\#(count),"seconds":\#(seconds),"cpuSeconds":\#(cpu)}"#)
    }

    /// The CPU time of this process so far.
    private static var cpuTime: Nanoseconds { .cpu(of: CLOCK_PROCESS_CPUTIME_ID) }
}
