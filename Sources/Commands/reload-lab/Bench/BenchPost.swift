import ArgumentParser
import CommandSupport
import Platform
import Times

/// `bench post`: sends pushes over HTTP until standard input ends, or until enough are answered.
/// `bench publish` and `bench keys` start it as a process.
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

    @Option(help: "Number of answers after which to end; without it, when standard input ends.")
    var requests: Int?

    func run() throws {
        let bench = try BenchLoop()
        let generator = RequestGenerator(bench, hasKeys: keys)
        try generator.connect(connections, to: port)
        try bench.run(until: "the answers began") { generator.answerCount > 0 }
        let before = requests == nil ? generator.answerCount : 0
        printLine("began")
        let start = ExactTime.now
        if let requests {
            try bench.run(until: "all requests were answered", within: 3_600) {
                generator.answerCount >= requests
            }
        } else {
            try bench.runUntilInput()
        }
        let seconds = (.now - start).inSeconds
        printLine("\(generator.answerCount - before) \(seconds)")
        try generator.stop()
    }
}
