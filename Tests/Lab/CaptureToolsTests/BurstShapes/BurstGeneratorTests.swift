import Basics
import CaptureFormat
import TestSupport
import Testing

@testable import CaptureTools

/// What a burst's capture has, by second of the burst.
private struct Burst {
    var pushesPerSecond: [Int]
    var pushesPerProducer: [UInt32: Int] = [:]
    var pushesPerKey: [String: Int] = [:]
    var keysInPeak: Set<String> = []
    var hellos = 0
    var widgets = 0
    var ended = 0
    var apps = 0
    var firstPush: RecordedTime?
    var lastWidgets = RecordedTime.zero
    var firstSecondMedian = Microseconds.zero

    init(_ shape: BurstShape, _ options: BurstOptions) {
        var generator = BurstGenerator(shape, options: options)
        let start = generator.burstStart
        let peak = generator.peakSeconds
        pushesPerSecond = Array(repeating: 0, count: options.seconds)
        var lastTime = RecordedTime.zero
        var times: [RecordedTime] = []
        while let record = generator.next() {
            precondition(record.time >= lastTime, "times go back")
            lastTime = record.time
            switch record.kind {
            case .push:
                let second = Int((record.time - start) / .seconds(1))
                pushesPerSecond[second] += 1
                pushesPerProducer[record.connection, default: 0] += 1
                let key = String(record.body.string.split(separator: "\"")[3])
                pushesPerKey[key, default: 0] += 1
                if peak.contains(second) { keysInPeak.insert(key) }
                if second == peak.first { times.append(record.time) }
                if firstPush == nil { firstPush = record.time }
            case .hello: hellos += 1
            case .widgets:
                widgets += 1
                if firstPush == nil { lastWidgets = record.time }
            case .ended: ended += 1
            case .apps: apps = record.body.string.split(separator: "\"app\"").count - 1
            default: Issue.record("a burst has no \(record.kind)")
            }
        }
        if !times.isEmpty {
            firstSecondMedian = times[times.count / 2] - start - .seconds(Int64(peak.lowerBound))
        }
    }
}

private func small(_ shape: BurstShape) -> BurstOptions {
    var options = shape.defaults
    options.devices = 600
    options.keys = min(options.keys, 200)
    options.apps = min(options.apps, 100)
    options.producers = min(options.producers, 100)
    options.gateways = min(options.gateways, 6)
    options.basePerSecond = 40
    options.peakFactor = min(options.peakFactor, 20)
    return options
}

@Suite("Bursts that hurt")
struct BurstGeneratorTests {
    /// All bytes of a burst, as one number.
    private func digest(_ shape: BurstShape, _ options: BurstOptions) -> (UInt64, Int) {
        var generator = BurstGenerator(shape, options: options)
        var sum: UInt64 = 0
        var count = 0
        while let record = generator.next() {
            let numbers = record.time.rawValue << 20 ^ UInt64(record.connection) << 8
            sum = stableHash(record.body, seed: sum ^ numbers ^ UInt64(record.kind.rawValue))
            sum ^= record.seq
            count += 1
        }
        return (sum, count)
    }

    @Test(arguments: BurstShape.allCases)
    func `are the same from the same seed, and others from another`(_ shape: BurstShape) {
        var options = small(shape)
        let first = digest(shape, options)
        #expect(first == digest(shape, options))
        options.seed = 2
        let second = digest(shape, options)
        #expect(first.0 != second.0)
        #expect(first.1 == second.1)
    }

    @Test(arguments: BurstShape.allCases)
    func `have the rates that were asked for`(_ shape: BurstShape) {
        var options = small(shape)
        options.hotPushes = 0
        let burst = Burst(shape, options)
        let peak = BurstRate(shape, options: options).peakSeconds
        let (base, factor) = (options.basePerSecond, options.peakFactor)
        for second in peak { #expect(burst.pushesPerSecond[second] == base * factor) }
        switch shape {
        case .flashCrowd:
            let tail = burst.pushesPerSecond[peak.upperBound...]
            #expect(zip(tail, tail.dropFirst()).allSatisfy { $0 >= $1 })
            #expect(tail.first! > base * factor * 3 / 4 && tail.last! < base * 2)
            #expect(burst.pushesPerSecond[..<peak.lowerBound].allSatisfy { $0 == base })
        case .marketOpen:
            #expect(burst.pushesPerSecond[..<peak.lowerBound].allSatisfy { $0 == 0 })
            // Half of the first second's quotes come in its first quarter.
            #expect((200_000...300_000).contains(burst.firstSecondMedian.rawValue))
        case .matchEnd:
            #expect(peak.upperBound == options.seconds)
            #expect(burst.keysInPeak.count == options.keys)
        case .hotKey, .chattyProducer, .reconnects:
            #expect(burst.pushesPerSecond.allSatisfy { $0 == base })
        case .manyApps:
            let others = burst.pushesPerSecond.enumerated().filter { !peak.contains($0.offset) }
            #expect(others.allSatisfy { $0.element == base })
        }
    }

    @Test(arguments: BurstShape.allCases)
    func `register every device before the first push`(_ shape: BurstShape) {
        let options = small(shape)
        let burst = Burst(shape, options)
        let times = shape == .reconnects ? 2 : 1
        #expect(burst.widgets == options.devices * times)
        #expect(burst.hellos == options.sessions * times + options.producers)
        #expect(burst.ended == options.sessions * (times - 1))
        #expect(burst.apps == options.apps)
        let first = burst.firstPush ?? .zero
        #expect(first >= burst.lastWidgets + .seconds(1))
    }

    @Test func `a chatty producer sends its share, on few keys`() {
        let options = small(.chattyProducer)
        let burst = Burst(.chattyProducer, options)
        let chatty = burst.pushesPerProducer[UInt32(1 + options.sessions)] ?? 0
        let total = burst.pushesPerSecond.reduce(0, +)
        #expect((total * 45 / 100...total * 55 / 100).contains(chatty))
        let others = burst.pushesPerProducer.count - 1
        #expect(others == options.producers - 1)
        let top = burst.pushesPerKey.values.sorted(by: >).prefix(options.chattyKeys)
        #expect(top.reduce(0, +) > total * 45 / 100)
    }

    @Test func `symbols are asked for by Zipf's law`() {
        var options = small(.marketOpen)
        options.peakFactor = 1_000
        let burst = Burst(.marketOpen, options)
        let counts = burst.pushesPerKey.values.sorted(by: >)
        // The first of 200 has 1/H(200) = 17.0 % of all; the tenth a tenth of that.
        let total = counts.reduce(0, +)
        #expect((160...180).contains(counts[0] * 1_000 / total))
        #expect((8...12).contains(counts[0] / counts[9]))
    }

    @Test func `a hot key is on every widget, and its pushes are reported from others`() {
        var options = small(.hotKey)
        options.hotPushes = 5
        var generator = BurstGenerator(.hotKey, options: options)
        var hot = 0
        while let record = generator.next() {
            let text = record.body.string
            if record.kind == .widgets {
                let widgets = text.split(separator: "\"configuration\"").dropFirst()
                #expect(widgets.count == options.widgetsPerDevice)
                #expect(widgets.allSatisfy { $0.contains("\"c-0000\"") })
            } else if record.kind == .push && text.contains("\"c-0000\"") {
                hot += 1
            }
        }
        #expect(hot == 5)
    }

    @Test func `the most devices register at the lowest rate, each in its second`() {
        var options = BurstOptions()
        (options.devices, options.devicesPerSecond) = (10_000_000, 1)
        #expect(options.problem == nil)
        let generator = BurstGenerator(.flashCrowd, options: options)
        for device in [0, 1_844_674, 1_844_675, 9_999_999] {
            #expect(
                generator.registration.time(ofDevice: device, of: 10_000_000)
                    == .zero + .seconds(Int64(device))
            )
        }
        #expect(generator.burstStart == 10_000_002_000_000)
    }

    @Test func `options that contradict each other are named`() {
        var options = BurstOptions()
        #expect(options.problem == nil)
        options.gateways = 20_000
        #expect(options.problem?.contains("sessions") == true)
        options = BurstOptions()
        options.apps = 10
        #expect(options.problem?.contains("producers") == true)
        options = BurstOptions()
        options.basePerSecond = 1_000_000
        #expect(options.problem?.contains("peak") == true)
        for shape in BurstShape.allCases { #expect(shape.defaults.problem == nil) }
    }
}
