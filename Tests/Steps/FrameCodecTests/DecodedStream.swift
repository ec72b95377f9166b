import Basics
import FrameCodec
import Testing

/// A frame as a test writes it.
struct TestFrame: Equatable {
    var type: FrameType
    var flags: UInt8
    var seq: UInt64
    var body: [UInt8]

    init(_ type: FrameType, flags: UInt8 = 0, seq: UInt64, body: [UInt8] = []) {
        self.type = type
        self.flags = flags
        self.seq = seq
        self.body = body
    }

    var bytes: [UInt8] { encodeFrame(type, flags: flags, seq: seq, body: body) }
    var header: FrameHeader {
        FrameHeader(type: type, flags: flags, seq: seq, bodyCount: body.count)
    }
}

/// What a stream of bytes decodes to, fed in pieces the way the loop feeds it: what is left of one
/// piece stands in front of the next.
struct DecodedStream: Equatable {
    /// The longest body.
    private let maxBody = 1_024
    var frames: [TestFrame] = []
    var error: ProtocolError?
    var rest: [UInt8] = []

    /// - Parameters:
    ///   - bytes: the stream.
    ///   - pieces: the lengths of the pieces; what they do not cover is the last one.
    init(_ bytes: [UInt8], pieces: [Int]) {
        var start = 0
        for count in pieces + [bytes.count] {
            let end = min(start + count, bytes.count)
            feed(bytes[start..<end])
            start = end
        }
    }

    private mutating func feed(_ piece: ArraySlice<UInt8>) {
        // After an error nothing is looked at any more.
        if error != nil { return }
        let input = rest + piece
        let consumed = input.withByteView { decodeAll($0) }
        rest = error == nil ? Array(input[consumed...]) : []
    }

    private mutating func decodeAll(_ input: ByteView) -> Int {
        var offset = 0
        do throws(ProtocolError) {
            while let header = try FrameHeader.decode(
                input,
                at: offset,
                maxBody: maxBody
            ) {
                let start = offset + FrameHeader.byteCount
                offset = start + header.bodyCount
                frames.append(
                    TestFrame(
                        header.type,
                        flags: header.flags,
                        seq: header.seq,
                        body: input.slice(start, to: offset).array
                    )
                )
            }
        } catch {
            self.error = error
        }
        return offset
    }
}

/// Checks that frames come out as they went in, however their bytes are cut.
func verifyDecoding(_ frames: [TestFrame], sourceLocation: SourceLocation = #_sourceLocation) {
    let bytes = frames.flatMap(\.bytes)
    let whole = DecodedStream(bytes, pieces: [])
    #expect(whole.frames == frames, sourceLocation: sourceLocation)
    #expect(whole.error == nil && whole.rest.isEmpty, sourceLocation: sourceLocation)
    verifyCuts(bytes, sourceLocation: sourceLocation)
}

/// Checks that bytes decode to the same whole, byte by byte and cut in two at each offset.
func verifyCuts(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
    let whole = DecodedStream(bytes, pieces: [])
    let single = DecodedStream(bytes, pieces: bytes.map { _ in 1 })
    #expect(single == whole, "byte by byte", sourceLocation: sourceLocation)
    for cut in bytes.indices where DecodedStream(bytes, pieces: [cut]) != whole {
        Issue.record("cut at \(cut), the bytes decode differently", sourceLocation: sourceLocation)
    }
}
