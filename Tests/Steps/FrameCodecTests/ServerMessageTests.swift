import Basics
import FrameCodec
import TestSupport
import Testing

@Suite("The bodies that the router sends")
struct ServerMessageTests {
    @Test("are JSON objects with the members of the specification, in a fixed order")
    func bodies() {
        let welcome = WelcomeMessage(session: "ab", maxBody: 65_536, window: 8_192, lastSeq: .max)
        #expect(
            text(welcome.encoded)
                == #"{"v":1,"session":"ab","maxBody":65536,"window":8192,"#
                + #""lastSeq":18446744073709551615}"#
        )
        let other = WelcomeMessage(session: "ab", maxBody: 1, window: 2, lastSeq: nil)
        #expect(text(other.encoded) == #"{"v":1,"session":"ab","maxBody":1,"window":2}"#)
        #expect(
            scheduled(slotDelay: 0, warning: nil)
                == #"{"device":"d","widget":"w","reloadAt":17,"slotDelay":0}"#
        )
        #expect(
            scheduled(slotDelay: 5, warning: .entriesClose)
                == #"{"device":"d","widget":"w","reloadAt":17,"slotDelay":5,"#
                + #""warning":"entries-close"}"#
        )
        #expect(
            scheduled(slotDelay: 5, warning: .loop)
                == #"{"device":"d","widget":"w","reloadAt":17,"slotDelay":5,"warning":"loop"}"#
        )
    }

    @Test("of an error are escaped, so that a peer's own bytes cannot break them")
    func errors() {
        let error = ProtocolError(.kindUnknown, message: "no \"k\"\n\u{1}\\ here")
        let bytes = error.encoded
        #expect(
            text(bytes)
                == #"{"code":"kind-unknown","retry":"no","message":"no \"k\"\n\u0001\\ here"}"#
        )
        #expect(failure(read(bytes) { _ in }) == nil)
    }

    @Test("name the scanner's error by the payload's code")
    func scannerErrors() {
        for (document, code) in [
            ([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d], .payloadNotUTF8),
            (Array("{".utf8), .payloadNotJSON), (Array("[]".utf8), .payloadNotObject),
            (Array(#"{"a":1,"a":2}"#.utf8), .payloadDuplicateKey),
            (Array(#"{"a":1e400}"#.utf8), .payloadNumberRange),
            (
                Array((String(repeating: #"{"a":"#, count: 33) + "1").utf8)
                    + [UInt8](repeating: 0x7d, count: 33), .payloadTooDeep
            ),
        ] as [([UInt8], ErrorCode)] {
            #expect(failure(read(document) { _ in })?.code == code)
        }
    }

    private func scheduled(slotDelay: Milliseconds, warning: ScheduledMessage.Warning?) -> String {
        Array("dw".utf8).withByteView { names in
            text(
                ScheduledMessage.encode(
                    device: names.slice(0, to: 1),
                    widget: names.slice(1, to: 2),
                    reloadAt: 17,
                    slotDelay: slotDelay,
                    warning: warning
                )
            )
        }
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// Scans a body strictly, as the router does, and hands it to a reader.
func read<Value>(
    _ bytes: [UInt8],
    _ body: (ByteView) throws(ProtocolError) -> Value
) -> Result<Value, ProtocolError> {
    bytes.withByteView { view in
        var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
        do throws(JSONError) {
            try validateJSON(view, using: &scanner)
        } catch {
            return .failure(ProtocolError(error))
        }
        do throws(ProtocolError) {
            return .success(try body(view))
        } catch {
            return .failure(error)
        }
    }
}

func failure<Value>(_ result: Result<Value, ProtocolError>) -> ProtocolError? {
    guard case .failure(let error) = result else { return nil }
    return error
}

extension String {
    /// A name of so many bytes.
    static func long(_ count: Int) -> String { String(repeating: "n", count: count) }
}
