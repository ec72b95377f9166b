import Foundation
import Testing

@testable import LoadReporting

@Suite("Where a report is from")
struct ProvenanceTests {
    private func provenance(_ arguments: String...) -> Provenance {
        Provenance(
            ["/opt/bin/reload-lab"] + arguments,
            date: Date(timeIntervalSince1970: 1_800_000_000.25),
            machine: MachineDescription(cpuinfo: "", meminfo: "", system: "Linux 6", cores: 2)
        )
    }

    @Test func `Its command is as a shell reads it`() {
        let command = provenance("fleet", "a b.json", "it's", "--seed=7", "").command
        #expect(command == #"reload-lab fleet 'a b.json' 'it'\''s' --seed=7 ''"#)
    }

    @Test func `It has no token`() {
        #expect(provenance("--token", "a", "x").command == "reload-lab --token … x")
        #expect(provenance("--publisher-token=b").command == "reload-lab --publisher-token=…")
        #expect(provenance("--token-file", "f").command == "reload-lab --token-file f")
        #expect(provenance("--device-token").command == "reload-lab --device-token")
    }

    @Test func `Reports begin with it, as text and as pages, and keep it as JSON`() throws {
        var report = sampleReport()
        report.provenance = provenance("fleet", "<x>")
        let line = "2027-01-15T08:00:00Z, version "
        #expect(report.page.text.split(separator: "\n")[2].hasPrefix(line))
        #expect(report.page.text.split(separator: "\n")[3] == "reload-lab fleet '<x>'")
        #expect(report.page.html(library: nil).contains("reload-lab fleet &#39;&lt;x&gt;&#39;"))
        #expect(try FleetReport(json: report.json()) == report)
        #expect(report.provenance?.date == 1_800_000_000_250)
    }
}
