import Basics
import FrameCodec
import Testing

@testable import ReloadRouterClient

/// What a router would send, and what it would receive, for tests of the two sessions.
struct ServerFrames {
    /// A frame that a session has sent.
    struct Sent: Equatable {
        var type: FrameType
        var flags: UInt8 = 0
        var seq: UInt64
        var body = ""
    }

    static func welcome(window: Int = 8, maxBody: Int = 1_000, lastSeq: UInt64? = nil) -> [UInt8] {
        encodeFrame(
            .welcome,
            seq: 0,
            body: WelcomeMessage(
                session: "s",
                maxBody: maxBody,
                window: window,
                lastSeq: lastSeq
            ).encoded
        )
    }

    /// A WELCOME for a publisher whose HELLO says `acked`.
    static func welcome(
        lastSeq: UInt64,
        rejected: [RejectedPush],
        behind: UInt64? = nil
    ) -> [UInt8] {
        var message = WelcomeMessage(session: "s", maxBody: 1_000, window: 8, lastSeq: lastSeq)
        message.rejected = rejected
        message.behind = behind
        return encodeFrame(.welcome, seq: 0, body: message.encoded)
    }

    static func ack(_ seq: UInt64, matched: UInt8? = nil) -> [UInt8] {
        encodeFrame(.ack, seq: seq, body: matched.map { [0, 0, 0, $0] } ?? [])
    }

    static func reject(
        _ seq: UInt64,
        _ code: String = "payload-not-json",
        retry: String? = nil
    ) -> [UInt8] {
        frame(.reject, seq, refusal(code, retry: retry))
    }

    static func error(_ code: String, retry: String? = nil) -> [UInt8] {
        frame(.error, 0, refusal(code, retry: retry))
    }

    private static func refusal(_ code: String, retry: String?) -> String {
        let advice = retry.map { #""retry":"\#($0)","# } ?? ""
        return #"{"code":"\#(code)",\#(advice)"message":"no"}"#
    }

    static func frame(_ type: FrameType, _ seq: UInt64, _ body: String = "") -> [UInt8] {
        encodeFrame(type, seq: seq, body: Array(body.utf8))
    }

    /// Feeds whole frames; returns how many bytes were used.
    @discardableResult
    static func feed(
        _ bytes: [UInt8],
        to session: inout some ClientSession
    ) throws(ClientError) -> Int {
        var reader = FrameReader()
        return try bytes.withByteView { (view) throws(ClientError) in
            try reader.read(view, into: &session)
        }
    }

    /// Takes what the session wants to send, decoded.
    static func output(_ session: inout some ClientSession, limit: Int = .max) throws -> [Sent] {
        var bytes: [UInt8] = []
        session.takeOutput(into: &bytes, limit: limit)
        var frames: [Sent] = []
        try bytes.withByteView { view in
            var offset = 0
            while let header = try FrameHeader.decode(view, at: offset, maxBody: 1 << 20) {
                let start = offset + FrameHeader.byteCount
                frames.append(
                    Sent(
                        type: header.type,
                        flags: header.flags,
                        seq: header.seq,
                        body: view.slice(start, to: start + header.bodyCount).string
                    )
                )
                offset = start + header.bodyCount
            }
            #expect(offset == view.count, "the output ends within a frame")
        }
        return frames
    }
}
