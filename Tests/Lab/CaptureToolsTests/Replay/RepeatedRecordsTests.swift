import Basics
import CaptureFormat
import FrameCodec
import LoadReporting
import TestSupport
import Testing

@testable import CaptureTools

@Suite("What later files of a recording repeat")
struct RepeatedRecordsTests {
    private func play(
        _ capture: consuming SampleCapture,
        gateways: Int
    ) throws -> (ReplayReport, SimulatedSink) {
        let source = capture.source()
        var settings = ReplaySettings()
        settings.gateways = gateways
        let roster = try ReplayRoster(source, settings: settings)
        let sink = SimulatedSink(try ReplayEngine(source, roster: roster, settings: settings))
        return (try sink.run(), sink)
    }

    @Test(arguments: [false, true])
    func `The HELLOs of open sessions begin no new ones`(isRepeated: Bool) throws {
        var capture = SampleCapture()
        capture.publisher("p", on: 1)
        capture.device("d1", on: 2)
        capture.widget("d1", "elf", on: 2)
        capture.push("elf", on: 1, at: 1_000_000)
        if isRepeated {
            capture.publisher("p", on: 1, at: 1_500_000)
            capture.device("d1", on: 2, at: 1_500_000)
        }
        capture.push("elf", on: 1, at: 2_000_000)
        let (report, sink) = try play(capture, gateways: 0)
        #expect(report.pushes.acknowledged == 2)
        #expect(sink.hellos.count == 2, "\(sink.hellos)")
    }

    @Test func `Nor do gateways change their connections`() throws {
        var capture = SampleCapture()
        capture.publisher("p", on: 1)
        capture.gateway(on: 2)
        capture.gateway(on: 3)
        capture.widget("d1", "elf", on: 2)
        capture.widget("d2", "elf", on: 3)
        capture.push("elf", on: 1, at: 1_000_000)
        capture.put(.ended, on: 2, at: 1_200_000, "")
        capture.gateway(on: 3, at: 1_500_000)
        capture.widget("d2", "orc", on: 3, at: 1_600_000)
        capture.push("elf", on: 1, at: 2_000_000)
        let (_, sink) = try play(capture, gateways: 4)
        #expect(sink.hellos.count == 3, "\(sink.hellos)")
        let widgets = sink.frames.filter { $0.type == .widgets }
        #expect(widgets.count == 3 && widgets[1].stream == widgets[2].stream)
    }

    @Test func `An app file is counted only when it changes`() throws {
        var capture = SampleCapture()
        capture.publisher("p", on: 1)
        capture.push("elf", on: 1, at: 1_000_000)
        capture.put(.apps, on: 0, at: 1_500_000, SampleCapture.appFile)
        let changed = SampleCapture.appFile + " "
        capture.put(.apps, on: 0, at: 1_600_000, changed)
        capture.put(.apps, on: 0, at: 1_700_000, changed)
        capture.push("elf", on: 1, at: 2_000_000)
        let (report, _) = try play(capture, gateways: 4)
        #expect(report.laterAppFiles == 1)
    }

    @Test func `Pushes after more than ten days are counted in no second`() {
        var recorder = ReplayRecorder()
        recorder.begin(at: 0)
        for second in [1, 864_000, 900_000] as [Int64] {
            recorder.intended(at: ExactTime(rawValue: second * 1_000_000_000))
        }
        #expect(recorder.series.intended.count == 2)
        #expect(recorder.series.intended.reduce(0, +) == 1)
    }
}
