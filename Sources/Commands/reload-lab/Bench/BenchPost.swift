import ArgumentParser
import CommandSupport
import Platform
import Times

/// `bench post`: sends pushes over HTTP until standard input ends. `bench publish` starts it as a
/// process.
struct BenchPost: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post",
        abstract: "Post pushes as fast as they are answered, and print the answers.",
        shouldDisplay: false
    )

    @Argument(help: "The server's port.")
    var port: UInt16

    @Option(help: "Number of connections.")
    var connections = 1

    @Flag(help: "Give each request a key of its own.")
    var keys = false

    func run() throws {
        let bench = try BenchLoop()
        let generator = RequestGenerator(bench, hasKeys: keys)
        try generator.connect(connections, to: port)
        try bench.run(until: "the answers began") { generator.answerCount > 0 }
        let before = generator.answerCount
        printLine("began")
        let start = ExactTime.now
        try bench.runUntilInput()
        let seconds = (.now - start).inSeconds
        printLine("\(generator.answerCount - before) \(seconds)")
        try generator.stop()
    }
}
