import ArgumentParser
import Testing

@testable import WidgetFleet

@Suite("The options of a fleet")
struct FleetOptionsTests {
    @Test(arguments: [
        "s.json", "s.json --to localhost:7410 --gateways 1024", "s.json --connection-each",
        "s.json --accelerated --jitter none --window 60", "s.json --compare-jitter --picture a.svg",
        "s.json --accelerated --compare-jitter --window 86400 --report a.html --json -",
        "s.json --devices 5 --seconds 1.5 --seed 18446744073709551615 --to [::1]:7410",
    ])
    func `What fits together is taken`(line: String) throws {
        _ = try FleetOptions.parse(line.split(separator: " ").map(String.init))
    }

    @Test(arguments: [
        ("", "Missing expected argument '<scenario>'"),
        ("s.json --accelerated --to h:1", "cannot be combined with --to"),
        ("s.json --jitter none --to h:1", "cannot be combined with --to"),
        ("s.json --compare-jitter --to h:1", "cannot be combined with --to"),
        ("s.json --compare-jitter --jitter none", "give one of them"),
        ("s.json --jitter sometimes", "none, uniform or ledger"),
        ("s.json --window 5", "--window requires"),
        ("s.json --jitter none --window 0", "from 1 to 86400"),
        ("s.json --jitter none --window 86401", "from 1 to 86400"),
        ("s.json --picture a.svg", "--picture requires"),
        ("s.json --gateways 0", "from 1 to 1024"),
        ("s.json --gateways 1025", "from 1 to 1024"),
        ("s.json --to h:", "it must be HOST:PORT"),
        ("s.json --to h:99999", "it must be HOST:PORT"),
        ("s.json --accelerated --connection-each", "--connection-each"),
        ("s.json --seed -1", "--seed"),
        ("s.json --devices x", "--devices"),
    ])
    func `What does not is refused with a sentence`(line: String, expected: String) {
        let arguments = line.split(separator: " ").map(String.init)
        let error = #expect(throws: (any Error).self) { try FleetOptions.parse(arguments) }
        guard let error else { return }
        let text = FleetOptions.fullMessage(for: error)
        #expect(text.contains(expected), "\(text)")
    }
}
