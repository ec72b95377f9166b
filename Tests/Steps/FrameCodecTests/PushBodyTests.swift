import Basics
import FrameCodec
import TestSupport
import Testing

/// What the flags of a PUSH put in front of its payload.
@Suite("The body of a PUSH")
struct PushBodyTests {
    /// The parts of a body, or the code with which it is refused.
    private func read(_ bytes: [UInt8], _ flags: UInt8) -> (String, ErrorCode?) {
        bytes.withByteView { view in
            do throws(ProtocolError) {
                let body = try PushBody(view, flags: flags)
                let date = body.expiresAt.map { "\($0.rawValue)" } ?? "-"
                let kinds = body.kinds.map { "\($0.strings)" } ?? "-"
                return ("\(date) \(kinds) \(body.payload.string)", nil)
            } catch {
                return ("", error.code)
            }
        }
    }

    @Test(
        "is read as it was encoded, with every choice of parts",
        arguments: [nil, [], ["k"], ["board", "täglich", String(repeating: "k", count: 128)]]
            as [[String]?]
    )
    func roundTrip(kinds: [String]?) throws {
        for expiresAt in [nil, 0, 1_795_000_000_000] as [WallTime?] {
            let names = kinds.flatMap { KindNames.encode($0) }
            let (flags, prefix) = PushFrame.prefix(expiresAt: expiresAt, kinds: names)
            let date = expiresAt.map { "\($0.rawValue)" } ?? "-"
            let (text, code) = read(prefix + Array("{}".utf8), flags | PushFlags.urgent)
            #expect(text == "\(date) \(kinds.map { "\($0)" } ?? "-") {}" && code == nil)
            #expect(flags & ~FrameType.push.knownFlags == 0)
        }
    }

    @Test("is refused if what a flag announces is not there, whatever is cut off")
    func cuts() throws {
        let names = try #require(KindNames.encode(["a", "bc"]))
        let (flags, prefix) = PushFrame.prefix(expiresAt: 7, kinds: names)
        for count in 0..<prefix.count {
            let code: ErrorCode = count < 8 ? .payloadExpiry : .payloadKinds
            #expect(read(Array(prefix[..<count]), flags).1 == code, "cut at \(count)")
        }
        #expect(read(prefix, flags).0 == #"7 ["a", "bc"] "#)
    }

    @Test(
        "is refused if its names are none",
        arguments: [
            [0, 1, 0], [0, 2, 0, 0], [0, 2, 2, 0x61], [0, 3, 1, 0x61, 1], [0xff, 0xff, 1, 0x61],
            [0, 130, 129] + [UInt8](repeating: 0x61, count: 129),
        ] as [[UInt8]]
    )
    func names(prefix: [UInt8]) {
        #expect(read(prefix + Array("{}".utf8), PushFlags.kinds).1 == .payloadKinds)
    }

    @Test("has no names that are empty, longer than 128 bytes, or together longer than 65,535")
    func limits() {
        #expect(KindNames.encode([""]) == nil)
        #expect(KindNames.encode([String(repeating: "a", count: 129)]) == nil)
        let names = Array(repeating: String(repeating: "a", count: 127), count: 512)
        #expect(KindNames.encode(names) == nil)
        #expect(KindNames.encode(names.dropLast())?.count == 511 * 128)
        #expect(KindNames.encode([String]()) == [])
    }
}
