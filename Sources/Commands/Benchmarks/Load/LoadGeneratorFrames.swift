import Basics
import FrameCodec

/// Frames of equal length, encoded once; sending one is a copy and a few stores.
///
/// A run of six or more `#` in the body is a mark: each frame has a number with as many digits in
/// its place, computed from the frame's target, such as the number of a device.
struct LoadGeneratorFrames {
    /// A mark, which shows `target * scale + offset`.
    private struct Field {
        var position: Int
        var width: Int
        var scale: Int
        var offset: Int
    }

    let frameBytes: Int
    /// The number of frames in a block, which is copied at once: about as many as fit into an
    /// output chunk.
    let blockCount: Int
    private let block: [UInt8]
    private var fields: [Field] = []

    /// Pushes; every mark shows the target, times `scale`.
    static func pushes(_ body: String, scale: Int = 1) -> LoadGeneratorFrames {
        LoadGeneratorFrames(.push, body: body) { _ in (scale, 0) }
    }

    /// WIDGETS of one device each: the target is the device's number.
    ///
    /// The first mark is in the device's name. After it, each widget has one in its id, and perhaps
    /// one in its configuration, which show the widget's number.
    static func widgets(
        kind: String,
        configuration: String,
        perDevice: Int,
        device: String = "d-######",
        widget: String = "w-######"
    ) -> LoadGeneratorFrames {
        let widget =
            "{\"id\":\"\(widget)\",\"kind\":\"\(kind)\",\"family\":\"systemSmall\","
            + "\"configuration\":\(configuration)}"
        let marks = marks(in: Array(widget.utf8)).count
        let list = repeatElement(widget, count: perDevice).joined(separator: ",")
        let body = "{\"device\":\"\(device)\",\"widgets\":[\(list)]}"
        return LoadGeneratorFrames(.widgets, body: body) { index in
            index == 0 ? (1, 0) : (perDevice, (index - 1) / marks)
        }
    }

    /// Frames with one body; every mark shows the target.
    static func body(_ type: FrameType, text body: String) -> LoadGeneratorFrames {
        LoadGeneratorFrames(type, body: body) { _ in (1, 0) }
    }

    private init(_ type: FrameType, body: String, number: (Int) -> (scale: Int, offset: Int)) {
        let frame = encodeFrame(type, seq: 0, body: Array(body.utf8))
        frameBytes = frame.count
        blockCount = max(1, 16_000 / frame.count)
        block = Array(repeatElement(frame, count: blockCount).joined())
        for mark in Self.marks(in: frame) {
            let (scale, offset) = number(fields.count)
            fields.append(
                Field(position: mark.lowerBound, width: mark.count, scale: scale, offset: offset)
            )
        }
    }

    private static func marks(in bytes: [UInt8]) -> [Range<Int>] {
        var marks: [Range<Int>] = []
        var position = 0
        while position < bytes.count {
            let rest = bytes[position...].prefix { $0 == UInt8(ascii: "#") }
            if rest.count >= 6 { marks.append(rest.indices) }
            position = rest.endIndex + 1
        }
        return marks
    }

    /// Writes `count` frames with ascending sequence numbers; returns the number of bytes.
    @unsafe
    func write(
        _ count: Int,
        from firstSeq: UInt64,
        for targets: inout LoadGeneratorTargets,
        to memory: UnsafeMutableRawPointer
    ) -> Int {
        assert(count <= blockCount, "\(count) frames in a block of \(blockCount)")
        unsafe block.withUnsafeBytes { bytes in
            unsafe memory.copyMemory(from: bytes.baseAddress!, byteCount: count * frameBytes)
        }
        for index in 0..<count {
            let frame = unsafe memory + index * frameBytes
            let seq = (firstSeq + UInt64(index)).bigEndian
            unsafe frame.storeBytes(of: seq, toByteOffset: 8, as: UInt64.self)
            if fields.isEmpty { continue }
            let target = targets.next()
            for field in fields {
                unsafe Self.writeDigits(
                    target * field.scale + field.offset,
                    width: field.width,
                    to: frame + field.position
                )
            }
        }
        return count * frameBytes
    }

    private static func writeDigits(_ number: Int, width: Int, to memory: UnsafeMutableRawPointer) {
        assert(UInt32(exactly: number) != nil, "\(number) does not fit into the digits")
        var rest = UInt32(truncatingIfNeeded: number)
        for index in 1...width {
            let quotient = rest / 10
            let digit = UInt8(truncatingIfNeeded: 0x30 + rest - quotient * 10)
            unsafe memory.storeBytes(of: digit, toByteOffset: width - index, as: UInt8.self)
            rest = quotient
        }
    }
}

/// The target of each frame: random, or one after the other.
struct LoadGeneratorTargets {
    private var random = SplitMix64(seed: 0)
    /// Random targets, and those of a cycle, are below this number; 0 if others have no limit.
    private var count = 0
    /// The next target, unless targets are random.
    private var following = 0
    /// The distance from one target to the next; 0 for random targets.
    private var step = 1

    /// Random targets below `count`; the same seed gives the same ones.
    static func random(of count: Int, seed: UInt64) -> LoadGeneratorTargets {
        assert(count > 0, "there is no target to choose")
        return LoadGeneratorTargets(random: SplitMix64(seed: seed), count: count, step: 0)
    }

    /// `first`, `first + step` and so on.
    static func every(_ step: Int, from first: Int) -> LoadGeneratorTargets {
        assert(step != 0, "without a step targets would be random")
        return LoadGeneratorTargets(following: first, step: step)
    }

    /// 0, 1 and so on below `count`, and again from 0.
    static func cycle(through count: Int) -> LoadGeneratorTargets {
        LoadGeneratorTargets(count: count)
    }

    static let first = random(of: 1, seed: 0)

    mutating func next() -> Int {
        if step == 0 { return random.below(count) }
        defer {
            following += step
            if count > 0 && following >= count { following = 0 }
        }
        return following
    }
}
