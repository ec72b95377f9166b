import DataStructures
import FrameCodec
import LibuvLoop
import Platform
import Times

extension BenchSide {
    /// Pushes at a fixed rate for some time, to devices with one widget each in turn, and records
    /// when each push was acknowledged and led to its RELOAD.
    ///
    /// If the window delays a push, its time still counts from when it was due.
    func pushByTheClock(
        _ connection: LoadGeneratorConnection,
        rate: Int,
        devices: Int,
        seconds: Double
    ) throws -> LatencyRecorder {
        assert(rate > 0 && devices > 0, "\(rate) pushes a second for \(devices) devices")
        let count = Int(seconds * Double(rate))
        let recorder = LatencyRecorder(
            devices: devices,
            count: count,
            isStamped: generator.wire == .forwarding
        )
        let frames = LoadGeneratorFrames.pushes(BenchApp.characterPush)
        let interval = 1e9 / Double(rate)
        let start = ExactTime.now + .milliseconds(1)
        var sent = 0
        var due = start
        generator.recorder = recorder
        generator.bench.isSpinning = true
        defer {
            generator.recorder = nil
            generator.bench.isSpinning = false
        }
        try generator.bench.run(until: "every push led to a RELOAD", within: seconds + 10) {
            let now = ExactTime.now
            if sent < count && now >= due && connection.hasRoom {
                repeat {
                    generator.sendStamped(
                        connection,
                        frames: frames,
                        recorder: recorder,
                        target: sent % devices,
                        due: due
                    )
                    sent += 1
                    due = start + Nanoseconds(rawValue: Int64(Double(sent) * interval))
                } while sent < count && now >= due && connection.hasRoom
                connection.tcp.flush()
            }
            return recorder.times.count == count && generator.unacknowledged == 0
        }
        return recorder
    }
}

/// Records for each push the time from when it was due to its RELOAD and to its ACK.
final class LatencyRecorder {
    /// From due to RELOAD, in order of arrival.
    private(set) var times: [Nanoseconds] = []
    /// From due to ACK, in the order of the pushes.
    private(set) var acknowledgements: [Nanoseconds] = []
    /// When each push was due.
    private var pushes: [ExactTime] = []
    /// When the last push to each device was due.
    private var due: [ExactTime]
    /// True if the body of a RELOAD begins with eight bytes that say when its push was due.
    let isStamped: Bool
    /// When the current read began: all frames in it arrived then.
    private var now = ExactTime.none

    init(devices: Int, count: Int, isStamped: Bool) {
        due = Array(repeating: .none, count: devices)
        self.isStamped = isStamped
        times.reserveCapacity(count)
        acknowledgements.reserveCapacity(count)
        pushes.reserveCapacity(count)
    }

    /// Records that a push is sent.
    func sent(to device: Int, due time: ExactTime) {
        due[device] = time
        pushes.append(time)
    }

    /// Reads the clock for all frames of one read.
    func beginRead() {
        now = ExactTime.now
    }

    /// Records an ACK for the next `count` pushes.
    func acknowledged(_ count: Int) {
        assert(acknowledgements.count + count <= pushes.count, "more was acknowledged than sent")
        for _ in 0..<count { acknowledgements.append(now - pushes[acknowledgements.count]) }
    }

    /// Records a RELOAD; finds its push by the stamp, or by the device it names.
    func received(_ reload: ByteView) {
        if isStamped {
            let number = reload.word(at: FrameHeader.byteCount)
            let stamp = ExactTime(rawValue: Int64(bitPattern: number))
            times.append(now - stamp)
            return
        }
        // {"device":"d-000123",…
        var device = 0
        let digits = FrameHeader.byteCount + 13
        for offset in digits..<digits + 6 { device = device * 10 + Int(reload[offset] & 15) }
        times.append(now - due[device])
    }

    /// Returns the time in ns within which a fraction of the pushes led to their RELOADs.
    func percentile(_ part: Double) -> Double { quantile(part, of: times) }
}

/// Returns the time in ns within which a fraction of `times` lies; NaN if there are none.
func quantile(_ part: Double, of times: [Nanoseconds]) -> Double {
    assert(part >= 0 && part <= 1, "\(part) is not a fraction")
    if times.isEmpty { return .nan }
    let sorted = times.sorted()
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))].inNanoseconds
}

extension LoadGenerator {
    /// Writes one push to the output buffer, without flushing it, and records that it was sent. If
    /// `recorder` wants a stamp, the body begins with the time at which the push was due.
    func sendStamped(
        _ connection: LoadGeneratorConnection,
        frames: LoadGeneratorFrames,
        recorder: LatencyRecorder,
        target: Int,
        due: ExactTime
    ) {
        assert(connection.hasRoom, "the window allows no other push")
        var targets = LoadGeneratorTargets.every(1, from: target)
        unsafe connection.tcp.withOutput(frames.frameBytes) { memory in
            let count = unsafe frames.write(1, from: connection.sent + 1, for: &targets, to: memory)
            if recorder.isStamped {
                unsafe memory.storeBytes(
                    of: due.rawValue,
                    toByteOffset: FrameHeader.byteCount,
                    as: Int64.self
                )
            }
            return count
        }
        connection.sent += 1
        connection.limit = connection.sent
        recorder.sent(to: target, due: due)
        countSent(1)
    }
}
