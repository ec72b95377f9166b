import Basics
import CaptureFormat
import RouterCore
import TestSupport
import Testing

@testable import RouterSimulation

/// A change that only moves code decides, writes and sends what it did before; where something else
/// is meant, the numbers here are new ones.
@Suite("All that a simulated day writes and sends")
struct DayTranscriptTests {
    @Test func `is what it was before`() throws {
        var sum = Transcript()
        for seed in 1...2 as ClosedRange<UInt64> { sum.add(try Self.day(seed: seed)) }
        #expect(sum.description == "0x6602fca9ec6f008d 0x9945853ffb5287bf 0x35cf3c01c94e3340")
    }

    @Test("can be compared for many seeds", .enabled(if: Transcript.file != nil))
    func write() throws {
        for seed in seeds(1_000) { try Self.day(seed: seed).write(of: "day", seed: seed) }
    }

    private static func day(seed: UInt64) throws -> Transcript {
        var options = SimulationOptions()
        (options.devices, options.hours, options.firstHour, options.seed) = (100, 6, 6, seed)
        var simulation = Simulation(options, mode: .ledger)
        simulation.driver.router.startJournal()
        simulation.driver.router.startCapture(appFile: Array(#"{"apps":[]}"#.utf8))
        let frames = Frames()
        simulation.tracedDevice = 0
        simulation.trace = { frames.lines += $0 }
        _ = try simulation.run()
        var transcript = Transcript()
        transcript.add(journal: simulation.driver.router.journalBytes)
        transcript.add(capture: simulation.driver.router.capture.records.bytes)
        Array(frames.lines.utf8).withByteView { transcript.add(frame: $0, for: 0) }
        return transcript
    }

    /// What one device has sent and got.
    private final class Frames {
        var lines = ""
    }
}
