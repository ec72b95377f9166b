import DataStructures
import FrameCodec
import LibuvLoop
import Platform

extension BenchSide {
    /// Pushes at a rate for a time, to devices with one widget each in turn; returns when each push
    /// was answered and led to its RELOAD.
    ///
    /// A push that the window does not let through waits, and is late from when it was due.
    func pushByTheClock(
        _ connection: LoadGeneratorConnection,
        rate: Int,
        devices: Int,
        seconds: Double
    ) throws -> LatencyRecorder {
        let count = Int(seconds * Double(rate))
        let recorder = LatencyRecorder(
            devices: devices,
            count: count,
            isStamped: generator.wire == .forwarding
        )
        let frames = LoadGeneratorFrames.pushes(BenchApp.characterPush)
        let interval = 1e9 / Double(rate)
        let start = monotonicNanoseconds() + 1_000_000
        var sent = 0
        var due = start
        generator.recorder = recorder
        generator.bench.isSpinning = true
        defer {
            generator.recorder = nil
            generator.bench.isSpinning = false
        }
        try generator.bench.run(until: "every push led to a RELOAD", within: seconds + 10) {
            let now = monotonicNanoseconds()
            if sent < count && now >= due && connection.hasRoom {
                repeat {
                    generator.sendStamped(connection, frames, recorder, target: sent % devices, due)
                    sent += 1
                    due = start + Int64(Double(sent) * interval)
                } while sent < count && now >= due && connection.hasRoom
                connection.tcp.flush()
            }
            return recorder.times.count == count && generator.unacknowledged == 0
        }
        return recorder
    }
}

/// Knows when each push was due, and takes the time when its RELOAD comes and its ACK.
final class LatencyRecorder {
    /// Nanoseconds from due to received.
    private(set) var times: [Int64] = []
    /// The same of ACKs, of the pushes in their order.
    private(set) var acknowledgements: [Int64] = []
    /// When each push was due.
    private var pushes: [Int64] = []
    /// When the last push to each device was due.
    private var due: [Int64]
    /// The RELOAD itself says when its push was due, in the body's first eight bytes.
    let isStamped: Bool
    private var now: Int64 = 0

    init(devices: Int, count: Int, isStamped: Bool) {
        due = Array(repeating: 0, count: devices)
        self.isStamped = isStamped
        times.reserveCapacity(count)
        acknowledgements.reserveCapacity(count)
        pushes.reserveCapacity(count)
    }

    func sent(to device: Int, due time: Int64) {
        due[device] = time
        pushes.append(time)
    }

    func beginRead() {
        now = monotonicNanoseconds()
    }

    /// So many of the pushes were, in their order.
    func acknowledged(_ count: Int) {
        for _ in 0..<count { acknowledgements.append(now - pushes[acknowledgements.count]) }
    }

    func received(_ reload: ByteView) {
        if isStamped {
            let stamp = Int64(bitPattern: reload.word(at: FrameHeader.byteCount))
            times.append(now - stamp)
            return
        }
        // {"device":"d-000123",…
        var device = 0
        let digits = FrameHeader.byteCount + 13
        for offset in digits..<digits + 6 { device = device * 10 + Int(reload[offset] & 15) }
        times.append(now - due[device])
    }

    /// The time within which this part of the pushes arrived, in ns.
    func percentile(_ part: Double) -> Double { quantile(part, of: times) }
}

/// The time within which this part of them lie, in ns.
func quantile(_ part: Double, of times: [Int64]) -> Double {
    if times.isEmpty { return .nan }
    let sorted = times.sorted()
    return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))])
}

extension LoadGenerator {
    /// Writes one push to the output, without flushing.
    func sendStamped(
        _ connection: LoadGeneratorConnection,
        _ frames: LoadGeneratorFrames,
        _ recorder: LatencyRecorder,
        target: Int,
        _ due: Int64
    ) {
        var targets = LoadGeneratorTargets.every(1, from: target)
        unsafe connection.tcp.withOutput(frames.frameBytes) { memory in
            let count = unsafe frames.write(1, from: connection.sent + 1, &targets, to: memory)
            if recorder.isStamped {
                unsafe memory.storeBytes(
                    of: due,
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
