import Basics
import FrameCodec
import Testing

@Suite("The frame decoder")
struct FrameDecodingTests {
    private static let everyType = FrameType.allCases.enumerated().map { index, type in
        TestFrame(
            type,
            flags: type.knownFlags,
            seq: UInt64(index) &* 0x0123_4567_89ab_cdef,
            body: (0..<index * 3).map { UInt8($0) }
        )
    }

    @Test("reads a frame of every type, whole, joined with others, byte by byte and cut anywhere")
    func everyType() {
        for frame in Self.everyType { verifyDecoding([frame]) }
        verifyDecoding(Self.everyType)
    }

    @Test("reads an empty body and the longest body")
    func bodyLengths() {
        for count in [0, 1, 7, 1_023, 1_024] {
            verifyDecoding([TestFrame(.push, seq: 1, body: .init(repeating: 0x20, count: count))])
        }
    }

    @Test("reads the smallest and the largest sequence number")
    func sequenceNumbers() {
        verifyDecoding([.init(.push, seq: 0), .init(.push, seq: 1), .init(.push, seq: .max)])
    }

    @Test("lays a header out as the specification draws it")
    func layout() {
        let bytes = encodeFrame(.push, flags: 3, seq: 0x0102_0304_0506_0708, body: [0xaa, 0xbb])
        let drawn: [UInt8] = [
            0, 0, 0, 14, 0x10, 0x03, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0xaa, 0xbb,
        ]
        #expect(bytes == drawn)
    }

    @Test(
        "refuses a length under 12 and one over the limit as soon as its four bytes are there",
        arguments: [0, 1, 11, 12 + 1_025, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff] as [UInt32]
    )
    func badLengths(length: UInt32) {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
        verifyRefusal(bytes, .frameLength, after: 4, mentions: "\(length)")
        verifyRefusal(bytes + [0x10, 0, 0, 0], .frameLength, after: 4, mentions: "\(length)")
    }

    @Test("refuses every type that is none, once the header is there")
    func badTypes() {
        for type in UInt8.min...UInt8.max where FrameType(rawValue: type) == nil {
            var bytes = encodeFrame(.push, seq: 1, body: [1, 2, 3])
            bytes[4] = type
            verifyRefusal(bytes, .frameType, after: 16, mentions: "type 0x")
        }
    }

    @Test("refuses reserved bytes that are not zero")
    func badReserved() {
        for offset in 6...7 {
            for bit in 0..<8 {
                var bytes = encodeFrame(.ping, seq: 1)
                bytes[offset] = 1 << UInt8(bit)
                verifyRefusal(bytes, .frameReserved, after: 16, mentions: "PING")
            }
        }
    }

    @Test("refuses every flag bit that means nothing on its type")
    func badFlags() {
        for type in FrameType.allCases {
            for bit in 0..<8 where type.knownFlags & 1 << UInt8(bit) == 0 {
                let bytes = encodeFrame(type, flags: 1 << UInt8(bit), seq: 1)
                verifyRefusal(bytes, .frameFlags, after: 16, mentions: type.name)
            }
        }
    }

    @Test("judges length before type, type before reserved bytes, and those before flags")
    func order() {
        var bytes = encodeFrame(.ping, flags: 0xff, seq: 1)
        bytes[6] = 1
        verifyRefusal(bytes, .frameReserved, after: 16, mentions: "reserved")
        bytes[4] = 0x99
        verifyRefusal(bytes, .frameType, after: 16, mentions: "0x99")
        bytes[3] = 11
        verifyRefusal(bytes, .frameLength, after: 4, mentions: "11")
    }

    @Test("takes the frames in front of a bad one")
    func goodThenBad() {
        let good = encodeFrame(.push, seq: 1, body: [0x7b, 0x7d])
        var bad = good
        bad[4] = 0
        let whole = DecodedStream(good + good + bad + good, pieces: [])
        #expect(whole.frames.count == 2)
        #expect(whole.error?.code == .frameType)
        verifyCuts(good + good + bad + good)
    }

    private func verifyRefusal(
        _ bytes: [UInt8],
        _ code: ErrorCode,
        after count: Int,
        mentions text: String
    ) {
        #expect(DecodedStream(Array(bytes.prefix(count - 1)), pieces: []).error == nil)
        let error = DecodedStream(Array(bytes.prefix(count)), pieces: []).error
        #expect(error?.code == code)
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "no error")")
        verifyCuts(bytes)
    }
}
