import Foundation
import FrameCodec
import TestSupport
import Testing

/// The golden bytes of `protocol/vectors`, by which every implementation can check itself.
@Suite("The golden vectors")
struct VectorTests {
    @Test("decode to the frames that they say they are, and encode back to the same bytes")
    func frames() throws {
        let vectors = try ProtocolFiles.list(try ProtocolFiles.read("vectors/frames.json"))
        var types: Set<UInt8> = []
        for vector in vectors {
            let name = try #require(vector["name"] as? String)
            let bytes = try ProtocolFiles.bytes(try #require(vector["hex"] as? String))
            let frame = try frame(try #require(vector["frame"] as? [String: Any]))
            #expect(DecodedStream(bytes, pieces: []).frames == [frame], "\(name)")
            #expect(frame.bytes == bytes, "\(name)")
            verifyCuts(bytes)
            types.insert(frame.type.rawValue)
        }
        #expect(types == Set(FrameType.allCases.map(\.rawValue)), "every type has a vector")
    }

    private func frame(_ description: [String: Any]) throws -> TestFrame {
        let number = try #require(description["type"] as? Int)
        let body =
            if let hex = description["bodyHex"] as? String {
                try ProtocolFiles.bytes(hex)
            } else {
                Array(try #require(description["body"] as? String).utf8)
            }
        let seq = try #require(description["seq"] as? String)
        return TestFrame(
            try #require(FrameType(rawValue: UInt8(number))),
            flags: UInt8(try #require(description["flags"] as? Int)),
            seq: try #require(UInt64(seq)),
            body: body
        )
    }
}
