import Basics

@testable import WidgetMatching

/// The strict scanner gives the verdict of a slow one; readers and trees see what it has told.
final class JSONFuzzing: FuzzTarget {
    private var scanner = JSONScanner(depthLimit: 32)

    func run(_ input: ByteView) {
        input.withCopy(check)
    }

    private func check(_ text: ByteView) {
        var visitor = RecordingVisitor()
        let expected = ReferenceValidator.outcome(text.array)
        defer { scanner.resetScratch() }
        do throws(JSONError) {
            try scanner.scan(text, into: &visitor)
        } catch {
            require((0...text.count).contains(error.offset), "an error at \(error.offset)")
            require(error.message.utf8.count < 200, "a long message")
            require(error.code == expected.code, "\(error), and not \(expected)")
            return
        }
        let events = visitor.events
        require(expected == .accepted(events), "accepted, and not \(expected)")
        checkReader(text, events)
        checkTree(text, events)
        for case .number(let number) in events { checkNumber(number) }
    }

    /// The reader finds the same values in the same order.
    private func checkReader(_ text: ByteView, _ events: [Event]) {
        var reader = JSONReader(text)
        var read: [Event] = []
        reader.reportValue(&read)
        require(read == events, "the reader finds \(read)")
        var skipping = JSONReader(text)
        skipping.skipValue()
        require(skipping.offset == reader.offset, "a value is passed over to another place")
        require(reader.offset == text.count, "the reader ends at \(reader.offset)")
    }

    /// What is written of the tree is read as the same tree.
    private func checkTree(_ text: ByteView, _ events: [Event]) {
        guard let tree = try? JSONValue(parsing: text) else { fail("no tree of what is accepted") }
        let written = tree.text
        var visitor = RecordingVisitor()
        written.withByteView { again in
            var scanner = JSONScanner(depthLimit: 32)
            guard (try? scanner.scan(again, into: &visitor)) != nil else {
                fail("\(written) is refused")
            }
            require(visitor.events == events, "\(written) is another document")
        }
    }

    private static func canonical(_ text: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: text.count + 16) { buffer, count in
            let memory = UnsafeMutableRawPointer(buffer.baseAddress!)
            count = text.withByteView { unsafe CanonicalNumber.write($0, into: memory) }
        }
    }

    /// The canonical form is that of the exact value, and so is what is written of it.
    private func checkNumber(_ text: [UInt8]) {
        let canonical = Self.canonical(text)
        let again = canonical.withByteView { CanonicalNumber.text($0) }
        let value = SlowDecimal(text)
        require(SlowDecimal(Array(again.utf8)) == value, "\(again) is another number")
        require(Self.canonical(Array(again.utf8)) == canonical, "\(again) has another form")
        text.withByteView { text in
            var reader = JSONReader(text)
            require(reader.readInteger() == value.int64, "\(text.string) as an integer")
        }
    }
}
