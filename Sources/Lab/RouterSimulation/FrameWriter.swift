internal import DataStructures
internal import FrameCodec
internal import Times

/// Writes frames of devices and publishers into memory that is reused. `FrameCodec` encodes the
/// headers; the bodies are put together from their parts.
@safe
struct FrameWriter: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    private let capacity: Int
    private var count = 0
    /// The offset of the frame that is being written.
    private var start = 0

    init(capacity: Int = 65_536 + 16) {
        precondition(capacity >= FrameHeader.byteCount, "a frame has a header")
        self.capacity = capacity
        unsafe memory = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// All frames since `clear`; valid until the next frame is begun.
    var bytes: ByteView {
        unsafe ByteView(base: UnsafeRawPointer(memory), count: count)
    }

    mutating func clear() {
        count = 0
        start = 0
    }

    /// Begins a frame; everything appended before `end` is its body.
    mutating func begin() {
        precondition(count + FrameHeader.byteCount <= capacity, "a frame is longer than foreseen")
        start = count
        count += FrameHeader.byteCount
    }

    /// Ends the frame, and writes its header.
    mutating func end(_ type: FrameType, flags: UInt8 = 0, seq: UInt64) {
        precondition(count >= start + FrameHeader.byteCount, "no frame was begun")
        let header = FrameHeader(
            type: type,
            flags: flags,
            seq: seq,
            bodyCount: count - start - FrameHeader.byteCount
        )
        unsafe header.write(to: memory + start)
    }

    mutating func append(_ text: StaticString) {
        precondition(count + text.utf8CodeUnitCount <= capacity, "a frame is longer than foreseen")
        unsafe (memory + count).copyMemory(
            from: text.utf8Start,
            byteCount: text.utf8CodeUnitCount
        )
        count += text.utf8CodeUnitCount
    }

    /// Appends a number in decimal, padded with zeros to `least` digits.
    mutating func append(_ number: Int64, digits least: Int = 1) {
        precondition(count + 20 <= capacity && number >= 0, "a number has its place")
        precondition(least >= 0 && least <= 20, "\(least) digits")
        var length = least
        var rest = number
        for _ in 0..<least { rest /= 10 }
        while rest > 0 {
            length += 1
            rest /= 10
        }
        assert(length <= 20, "the number has more digits than there is place for")
        rest = number
        for index in 0..<length {
            let digit = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
            unsafe memory.storeBytes(
                of: digit,
                toByteOffset: count + length - 1 - index,
                as: UInt8.self
            )
            rest /= 10
        }
        count += length
    }

    /// Appends an expiry, which precedes the payload of a push: eight bytes, big-endian.
    mutating func append(date: WallTime) {
        precondition(count + 8 <= capacity, "a date has its place")
        unsafe memory.storeBytes(of: date.rawValue.bigEndian, toByteOffset: count, as: Int64.self)
        count += 8
    }

    // MARK: - Names

    /// Appends a device's name, such as `d-0000042`.
    mutating func append(device: UInt32) {
        append("d-")
        append(Int64(device), digits: 7)
    }

    /// Appends a topic's name, such as `t-0000042`.
    mutating func append(topic: UInt32) {
        append("t-")
        append(Int64(topic), digits: 7)
    }

    /// Appends a member, such as `"character":"t-0000042"`.
    mutating func append(_ family: World.Family, topic: UInt32) {
        append("\"")
        append(family.parameter)
        append("\":\"")
        append(topic: topic)
        append("\"")
    }

    // MARK: - HELLO

    mutating func appendHello(device: UInt32) {
        begin()
        append("{\"v\":1,\"role\":\"device\",\"app\":\"world\",\"device\":\"")
        append(device: device)
        append("\"}")
        end(.hello, seq: 0)
    }

    mutating func appendHello(producer: UInt32) {
        begin()
        append("{\"v\":1,\"role\":\"publisher\",\"app\":\"world\",\"producer\":\"p-")
        append(Int64(producer))
        append("\"}")
        end(.hello, seq: 0)
    }
}

/// Reads the number at the end of a name that `FrameWriter` has written; nil if there is none.
func trailingNumber(_ name: ByteView) -> UInt32? {
    var number: UInt32 = 0
    var scale: UInt32 = 1
    var offset = name.count - 1
    while offset >= 0, name[offset] >= 0x30, name[offset] <= 0x39 {
        if scale > 100_000_000 { return nil }
        number += scale * UInt32(name[offset] - 0x30)
        scale *= 10
        offset -= 1
    }
    return offset == name.count - 1 ? nil : number
}
