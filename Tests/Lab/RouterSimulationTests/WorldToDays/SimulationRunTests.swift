import Basics
import LoadReporting
import RouterCore
import TestSupport
import Testing

@testable import RouterSimulation

/// Small days, in a debug build.
private func play(
    seed: UInt64 = 1,
    mode: SpreadPolicy.Mode = .ledger,
    devices: Int = 200,
    hours: Int = 4,
    hashKey: HashKey = .ofRuntime
) throws -> DayRecord {
    var options = SimulationOptions()
    options.devices = devices
    options.hours = hours
    options.firstHour = 8
    options.seed = seed
    options.hashKey = hashKey
    var simulation = Simulation(options, mode: mode)
    return try simulation.run()
}

private func report(
    seed: UInt64 = 1,
    hashKey: HashKey = .ofRuntime
) throws -> SimulationReport {
    var options = SimulationOptions()
    options.devices = 200
    options.hours = 4
    options.firstHour = 8
    options.seed = seed
    return SimulationReport(
        options: options,
        records: try SpreadPolicy.Mode.allCases.map {
            try play(seed: seed, mode: $0, hashKey: hashKey)
        }
    )
}

private final class Lines {
    var all: [[Substring]] = []
}

@Suite("A simulated day")
struct SimulationRunTests {
    @Test("is the same again, to the byte, and another with another seed")
    func repeatsItself() throws {
        let first = try report()
        let second = try report()
        #expect(first.page.text == second.page.text)
        #expect(first.json == second.json)
        #expect(first.page.html(library: "") == second.page.html(library: ""))
        let otherKey = try report(hashKey: HashKey(low: 1, high: 2))
        #expect(first.page.text == otherKey.page.text)
        #expect(first.json == otherKey.json)
        let other = try report(seed: 2)
        #expect(first.page.text != other.page.text)
        #expect(first.json != other.json)
        #expect(first.page.html(library: "") != other.page.html(library: ""))
    }

    @Test("keeps the rules, whatever the seed", arguments: Array(3...8) as [UInt64])
    func keepsRules(seed: UInt64) throws {
        let record = try play(seed: seed, devices: 120, hours: 6)
        #expect(record.sums.reloads > 100, "seed \(seed) has reloaded something")
    }

    @Test("adds up")
    func addsUp() throws {
        let record = try play()
        let sums = record.sums
        #expect(sums.causes.reduce(0, +) == sums.reloads)
        #expect(record.recorded + sums.inlined <= sums.timelines)
        #expect(record.minutes.reduce(0) { $0 + $1.sum } == record.recorded)
        #expect(record.minutes.map(\.peak).max() == record.peak)
        #expect(record.requests[record.busiest] == record.peak)
        #expect(record.requests.count == 4 * 3_600)
        #expect(record.percentile99 <= record.peak)
        let work = record.work
        #expect(work.events > 1_000 && work.views > 100 && sums.matches > 100)
        #expect(work.connections >= 200)
        #expect(sums.charged > 0, "somebody was charged")
        // Those that were removed are left out.
        #expect((200...800).contains(record.widgets))
    }

    @Test("sums up what happens in the record, and not what does in the hour before")
    func recordOnly() throws {
        var options = SimulationOptions()
        options.devices = 1
        options.firstHour = 8
        var simulation = Simulation(options, mode: .ledger)
        let lines = Lines()
        simulation.tracedDevice = 0
        simulation.trace = { lines.all.append($0.split(separator: " ", maxSplits: 6)) }
        let sums = try simulation.run().sums
        // The hour before it is Monday's from 7.
        func count(_ name: String, inRecord: Bool) -> UInt64 {
            UInt64(
                lines.all.count {
                    $0[4] == name && ($0[1] != "Mon" || $0[2] >= "08") == inRecord
                }
            )
        }
        #expect(sums.reloads == count("RELOAD", inRecord: true) && sums.reloads > 0)
        #expect(sums.timelines == count("TIMELINE", inRecord: true))
        #expect(count("TIMELINE", inRecord: false) > 0)
    }

    @Test("is the same day in every mode: views, sessions and pushes are")
    func sameDay() throws {
        let records = try SpreadPolicy.Mode.allCases.map { try play(mode: $0) }
        for record in records {
            #expect(record.work.views == records[0].work.views)
            #expect(record.work.connections == records[0].work.connections)
            #expect(record.sums.pushes == records[0].sums.pushes)
            #expect(record.sums.matches == records[0].sums.matches)
        }
    }

    @Test("prints every frame of one device, with mode and time")
    func trace() throws {
        var options = SimulationOptions()
        options.devices = 60
        options.hours = 3
        options.firstHour = 8
        var simulation = Simulation(options, mode: .uniform)
        let lines = Lines()
        let quote = try #require(simulation.fleet.widgets.first { $0.kind == .quote })
        simulation.tracedDevice = quote.device
        simulation.trace = { lines.all.append($0.split(separator: " ", maxSplits: 6)) }
        _ = try simulation.run()
        #expect(lines.all.allSatisfy { $0.count >= 6 && $0[0] == "uniform" && $0[1] == "Mon" })
        let names = Set(lines.all.map { "\($0[3]) \($0[4])" })
        #expect(
            names.isSuperset(of: [
                "<- HELLO", "-> WELCOME", "<- WIDGETS", "<- STATE", "<- TIMELINE", "-> SCHEDULED",
                "-> RELOAD", "-> ACK",
            ])
        )
        // Every TIMELINE but those without a date is answered by a SCHEDULED of the same number.
        let scheduled = lines.all.filter { $0[4] == "SCHEDULED" }.map { $0[5] }
        let withDates = lines.all.filter { $0[4] == "TIMELINE" && !$0[6].contains("never") }
        #expect(scheduled == withDates.map { $0[5] } && !scheduled.isEmpty)
    }

    @Test("stops if a push is never acknowledged")
    func unacknowledged() {
        var options = SimulationOptions()
        options.devices = 20
        options.hours = 1
        var simulation = Simulation(options, mode: .ledger)
        simulation.publishers.unacknowledged[2].append(.init(seq: .max, matched: 0))
        do throws(SimulationFailure) {
            _ = try simulation.run()
            Issue.record("the run has not stopped")
        } catch {
            #expect(error.violation.rule == "reasons" && error.violation.text.contains("p-2"))
        }
    }

    @Test("stops at a broken rule and says where, when and how to see it again")
    func failure() {
        var options = SimulationOptions()
        options.devices = 7
        options.seed = 9
        let failure = SimulationFailure(
            violation: Violation(
                "dates",
                text: "is told to reload 5 ms before its date",
                device: 3
            ),
            options: options,
            mode: "uniform",
            wall: SimulatedTime.monday + SimulatedTime.day + SimulatedTime.hour * 9 + 7,
            subject: "device d-3 "
        )
        #expect(
            failure.description
                == """
                dates: device d-3 is told to reload 5 ms before its date
                seed 9, mode uniform, at Tue 09:00:00.007 (1780390800007)
                again: reload-lab simulate --devices 7 --hours 24 --from 0 --seed 9 --mode uniform
                """
        )
    }

    @Test("writes one JSON object, and a page below 300 KB without its library")
    func sizes() throws {
        let report = try report()
        var scanner = JSONScanner()
        try report.json.withByteView { (view) throws(JSONError) in
            try validateJSON(view, using: &scanner)
        }
        let html = report.page.html(library: "")
        #expect(html.hasPrefix("<!DOCTYPE html>") && html.hasSuffix("</html>\n"))
        #expect(html.utf8.count < 300_000)
        // The day in each mode, and the busiest date.
        #expect(html.ranges(of: "<canvas").count == 4)
    }

    @Test("refuses options that cannot be")
    func options() {
        var options = SimulationOptions()
        #expect(options.problem == nil)
        options.devices = 0
        #expect(options.problem?.contains("--devices is 0") == true)
        options.devices = 1
        options.hours = 169
        #expect(options.problem?.contains("--hours is 169") == true)
        options.hours = 1
        options.firstHour = 168
        #expect(options.problem?.contains("--from is 168") == true)
    }
}
