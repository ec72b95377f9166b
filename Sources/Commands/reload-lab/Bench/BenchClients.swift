import ArgumentParser
import CommandSupport
import LoadReporting
import Platform
import Times

/// `bench clients`: measures the client libraries beside the one in Swift, which the commands use.
struct BenchClients: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients",
        abstract: "The client libraries of each language, beside the one in Swift.",
        discussion: """
            Each pushes over one connection, pipelined, small payloads that match no widget, until \
            all are acknowledged: in rounds, the library in Swift first in each. Rates and CPU \
            times are those of the client, as it measures itself after it has connected; in the \
            rows named router, CPU time is the router's. What a client is built with, and the \
            command that measures it, its conformance.json says. A client that has not been built \
            ends the benchmark: `Tests/ClientTests/run.py --only build` builds them.
            """
    )

    @OptionGroup var rounds: BenchRounds

    @Option(
        help: ArgumentHelp("Folder of the client libraries.", valueName: "folder"),
        completion: .directory
    )
    var folder = "protocol/clients"

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Languages to measure: names of folders.", valueName: "name")
    )
    var languages = ["go", "java", "csharp", "node", "python"]

    @Option(help: ArgumentHelp("Pushes of each client in a round.", valueName: "count"))
    var pushes = 500_000

    func validate() throws {
        try checkNumbers([pushes], within: 1...100_000_000, of: "--pushes")
    }

    func run() throws {
        let clients = try [.swift] + languages.map { try PushClient(in: folder, language: $0) }
        let router = try BenchServer.router(apps: BenchApp.file)
        defer { router.process.stop() }
        var results = clients.map { _ in (own: BenchWindows(), router: BenchWindows()) }
        for round in 0..<rounds.count(otherwise: 3) {
            for (index, client) in clients.enumerated() {
                printProgress("\(client.name), round \(round + 1)")
                let cpu = router.process.cpuTime
                let own = try client.push(pushes, port: router.port, producer: client.name)
                results[index].own.add(own)
                let used = router.process.cpuTime - cpu
                results[index].router.add(
                    BenchWindow(operations: own.operations, time: own.time, cpu: used)
                )
            }
        }
        var report = BenchReport(json: rounds.json)
        for (client, result) in zip(clients, results) {
            add(
                client,
                measured: result,
                beside: client.name == "swift" ? nil : results[0],
                to: &report
            )
        }
        report.print()
    }

    private func add(
        _ client: PushClient,
        measured result: (own: BenchWindows, router: BenchWindows),
        beside swift: (own: BenchWindows, router: BenchWindows)?,
        to report: inout BenchReport
    ) {
        let row = "clients.\(client.name)"
        report.add(
            row + ".rate",
            value: result.own.rate,
            unit: "pushes/s",
            reference: swift?.own.rate,
            aim: client.leastRate.map { .least($0) }
        )
        report.add(
            row + ".cpu",
            value: result.own.cpu,
            unit: "ns/push",
            reference: swift?.own.cpu
        )
        report.add(
            row + ".router",
            value: result.router.cpu,
            unit: "ns/push",
            reference: swift?.router.cpu
        )
    }
}
