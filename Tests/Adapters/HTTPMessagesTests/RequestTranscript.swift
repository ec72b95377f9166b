import Basics

@testable import HTTPMessages

/// What a reader makes of pieces of bytes, as a listener uses it.
struct RequestTranscript: Equatable {
    /// Each whole request as a line.
    private(set) var requests: [String] = []
    /// Why the reading has ended; nil if it has not.
    private(set) var failure: RequestFailure?

    /// Reads pieces one after the other, and keeps what is not used.
    init(_ pieces: [[UInt8]], limits: RequestLimits = RequestLimits()) {
        let reader = RequestReader(limits)
        var kept: [UInt8] = []
        var body: [UInt8] = []
        for piece in pieces {
            kept += piece
            let used = kept.withByteView { read($0, with: reader, body: &body) }
            kept.removeFirst(used)
        }
    }

    private mutating func read(
        _ bytes: ByteView,
        with reader: RequestReader,
        body: inout [UInt8]
    ) -> Int {
        var offset = 0
        while true {
            let (used, event) = reader.read(bytes.slice(offset, to: bytes.count))
            offset += used
            switch event {
            case .incomplete: return offset
            case .head: break
            case .piece(let piece): body += piece.array
            case .end:
                requests.append(Self.line(reader.head, body: body))
                body = []
                reader.next()
            case .failed(let failure):
                self.failure = failure
                return bytes.count
            }
        }
    }

    private static func line(_ head: RequestHead, body: [UInt8]) -> String {
        var arguments: [String] = []
        _ = head.visitArguments(.max) { name, value in
            arguments.append(
                String(decoding: name, as: UTF8.self) + "=" + String(decoding: value, as: UTF8.self)
            )
        }
        let token = head.header("authorization").map { "AUTHORIZATION=" + $0.string } ?? ""
        let method =
            switch head.method {
            case .get: "GET"
            case .head: "HEAD"
            case .post: "POST"
            case .put: "PUT"
            case .options: "OPTIONS"
            case .other: "other"
            }
        return
            "\(method) \(head.path.string) query \(arguments.joined(separator: ", ")) [\(token)] "
            + String(decoding: body, as: UTF8.self) + (head.expectsContinue ? " expects" : "")
            + (head.isPersistent ? "" : "ends")
    }
}
