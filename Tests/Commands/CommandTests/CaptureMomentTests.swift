import Basics
import CaptureFormat
import TestSupport
import Testing

@testable import reload_lab

@Suite("Places in a recording")
struct CaptureMomentTests {
    /// Began at 2026-11-18T11:06:40Z.
    private func offset(_ text: String) -> RecordedTime? {
        let header = CaptureHeader(recording: 1, startedAt: 1_795_000_000_000_000)
        return CaptureMoment(text)?.offset(in: header)
    }

    @Test func `are seconds, times of its day or dates`() {
        #expect(offset("12.5") == 12_500_000 && offset("0") == 0 && offset("0.000001") == 1)
        #expect(offset("11:06:41Z") == 1_000_000 && offset("11:07Z") == 20_000_000)
        #expect(offset("12:06:40.25+01:00") == 250_000)
        #expect(offset("2026-11-18T11:06:43Z") == 3_000_000)
    }

    @Test func `are the next day if the time of day is before the beginning`() {
        #expect(offset("11:06:39Z") == 86_399_000_000)
        #expect(offset("2026-11-18T11:06:39Z") == 0, "a date before it is the beginning")
    }

    @Test func `are nothing else`() {
        for text in ["", ".", "-1", "1.", ".5", "1.0000001", "soon", "25:00Z", "11:06:40", "1e3"] {
            #expect(CaptureMoment(text) == nil, "\(text)")
        }
    }
}
