import Basics
import FrameCodec

/// Bodies of frames: each is refused in few words, or says what its message says. OUTCOME is the
/// router's own; clients read it.
///
///     the first letter of a frame's name │ the body
final class BodyFuzzing: FuzzTarget {
    private var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)

    func run(_ input: ByteView) {
        var input = FuzzInput(input)
        let letter = input.byte()
        input.rest.withCopy { body in
            do throws(ProtocolError) {
                try validate(body)
                try read(letter, body)
            } catch {
                requireShort(error)
            }
        }
    }

    private func validate(_ body: ByteView) throws(ProtocolError) {
        defer { scanner.resetScratch() }
        do throws(JSONError) {
            try validateJSON(body, using: &scanner)
        } catch {
            throw ProtocolError(error)
        }
    }

    private func read(_ letter: UInt8, _ body: ByteView) throws(ProtocolError) {
        switch letter {
        case UInt8(ascii: "h"): try readHello(body)
        case UInt8(ascii: "w"): try readWidgets(body)
        case UInt8(ascii: "t"): try readTimeline(body)
        case UInt8(ascii: "s"): try readState(body)
        case UInt8(ascii: "o"): try readOutcome(body)
        case UInt8(ascii: "r"): _ = try RequestMessage(body).device.string
        default: break
        }
    }

    /// A HELLO that is accepted is the same when it is sent again.
    private func readHello(_ body: ByteView) throws(ProtocolError) {
        let hello = try HelloMessage.decode(body)
        try hello.encoded.withByteView { (encoded) throws(ProtocolError) in
            try validate(encoded)
            require(try HelloMessage.decode(encoded) == hello, "\(encoded.string) is another HELLO")
        }
        require(hello.app.utf8.count <= RouterLimits.identifierBytes, "a long app")
    }

    /// An OUTCOME that is read is the same when it is sent again.
    private func readOutcome(_ body: ByteView) throws(ProtocolError) {
        let outcome = try OutcomeMessage(reading: body)
        try outcome.encoded.withByteView { (encoded) throws(ProtocolError) in
            try validate(encoded)
            let again = try OutcomeMessage(reading: encoded)
            let isSame = outcome.isPaused == nil ? again == outcome : again.isPaused != nil
            require(isSame, "\(encoded.string) is another OUTCOME")
        }
    }

    private func readWidgets(_ body: ByteView) throws(ProtocolError) {
        let message = try WidgetsMessage(body)
        _ = message.device.string
        _ = message.pushToken?.string
        var list = message.makeWidgets()
        while let entry = try list.next() {
            _ = (entry.id.string, entry.kind.string, entry.family?.string)
            guard let configuration = entry.configuration else { continue }
            try validate(configuration)
        }
    }

    private func readTimeline(_ body: ByteView) throws(ProtocolError) {
        let message = try TimelineMessage(body, entryLimit: 8)
        _ = (message.device.string, message.widget.string)
        require(message.lastEntry?.date ?? .zero >= .zero, "an entry before 1970")
        if case .after(let date) = message.policy { require(date >= .zero, "a date before 1970") }
        require(message.reload == nil || message.because == nil, "a reason beside a reload")
    }

    private func readState(_ body: ByteView) throws(ProtocolError) {
        let message = try StateMessage(body)
        _ = message.device.string
        guard let visible = message.visible else { return }
        var reader = JSONReader(visible)
        reader.enterArray()
        while reader.nextElement() { reader.skipValue() }
    }
}
