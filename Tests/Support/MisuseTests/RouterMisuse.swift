import FrameCodec
import Platform
import Testing

@testable import Basics
@testable import RouterCore

@Suite("Misuse of OriginTable")
struct OriginTableMisuse {
    @Test("an origin that does not exist is neither read nor marked")
    func number() async {
        await #expect(processExitsWith: .trap) { _ = OriginTable()[.first].byteCount }
        await #expect(processExitsWith: .trap) {
            var table = OriginTable()
            table.startWaiting(.first)
        }
    }
}

@Suite("Misuse of FrameBody")
struct FrameBodyMisuse {
    @Test("no more is written than there is memory for")
    func length() async {
        await #expect(processExitsWith: .trap) {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
            var body = FrameBody(memory, capacity: 20)
            body.append("four")
            body.append("more")
        }
        await #expect(processExitsWith: .trap) {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
            var body = FrameBody(memory, capacity: 20)
            let bytes: [UInt8] = [1, 2, 3, 4, 5]
            bytes.withByteView { body.append($0) }
        }
    }
}

@Suite("Misuse of RecordsOfType")
struct RecordsOfTypeMisuse {
    @Test("a record of no block has not been written")
    func number() {
        var records = RecordsOfType()
        #expect(records.epoch(.max) == 0)
        #expect(records.firstWritten(from: .max) == nil)
        records.setEpoch(of: 5, to: 1)
        #expect(records.epoch(4_096) == 0)
        records.deallocate()
    }
}

@Suite("Misuse of IdentifierScratch")
struct IdentifierScratchMisuse {
    @Test("a text that is longer than a buffer is cut")
    func length() {
        var scratch = IdentifierScratch()
        let text =
            Array("{\"a\":\"".utf8) + [UInt8](repeating: 0x61, count: 100_000)
            + Array("\\n\"}".utf8)
        text.withByteView { view in
            var reader = JSONReader(view)
            reader.enterObject()
            _ = reader.nextKey()
            let decoded = scratch.decode(reader.readString())
            #expect(decoded.count == RouterLimits.pushTokenBytes)
        }
    }
}

@Suite("Misuse of LatencyHistogram")
struct LatencyHistogramMisuse {
    @Test("any time has a cell")
    func times() {
        var histogram = LatencyHistogram()
        for time in [.min, -1, 0, 1, .max] as [Int64] {
            histogram.record(Nanoseconds(rawValue: time))
        }
        histogram.rotate()
        #expect(histogram.summary.recentCount == 5)
    }
}

@Suite("Misuse of Monitor")
struct MonitorMisuse {
    @Test("nothing waits without the lock, and no thread acquires it twice")
    func lock() async {
        await #expect(processExitsWith: .trap) { Monitor().wait() }
        await #expect(processExitsWith: .trap) {
            let monitor = Monitor()
            monitor.locked { monitor.locked {} }
        }
    }
}

@Suite("Misuse of JoinableThread")
struct JoinableThreadMisuse {
    @Test("a thread is not waited for twice")
    func twice() async {
        await #expect(processExitsWith: .trap) {
            let thread = JoinableThread {}
            thread.join()
            thread.join()
        }
    }
}
