import Basics

@testable import AdminAPI

/// Events of CloudEvents: what is read of them is a payload that is JSON, says their type, and is
/// the same alone and in a list; and headers are decoded as a slow model does it.
///
///     a header's value, a line │ an event
final class EventFuzzing: FuzzTarget {
    func run(_ input: ByteView) {
        var input = FuzzInput(input)
        let value = input.line().string
        if let text = AttributeText.decode(value) {
            require(text == Self.slowlyDecoded(value), "\(value) is decoded as \(text)")
        }
        let body = input.rest.array
        let alone = try? CloudEvent.read(body)
        let list = try? CloudEvent.readBatch([0x5b] + body + [0x5d], limit: 100)
        guard let alone else { return }
        guard let list, list.count == 1, case .success(let listed) = list[0], listed == alone else {
            fail("an event is another one in a list: \(body)")
        }
        require(!alone.name.id.isEmpty && !alone.name.source.isEmpty, "an event without a name")
        // Data that is no JSON is the payload as it came, for the router to refuse.
        let isSpliced = alone.content.count < alone.payload.count
        var hasMember = false
        alone.payload.withByteView { payload in
            var scanner = JSONScanner(depthLimit: 40)
            guard (try? validateJSON(payload, using: &scanner)) != nil else {
                return require(!isSpliced, "attributes made a payload that is no JSON")
            }
            var reader = JSONReader(payload)
            reader.enterObject()
            while let name = reader.nextKey() {
                if name.string == CloudEvent.member { hasMember = true }
                reader.skipValue()
            }
            require(hasMember, "a payload without the event's attributes")
        }
        // What another delivery compares is JSON as well, and less.
        require(alone.content.count <= alone.payload.count, "more content than payload")
        if hasMember {
            alone.content.withByteView { content in
                var scanner = JSONScanner(depthLimit: 40)
                let isJSON = (try? validateJSON(content, using: &scanner)) != nil
                require(isJSON, "content that is no JSON: \(content.string)")
            }
        }
    }

    /// Decodes a header one character after the other.
    private static func slowlyDecoded(_ value: String) -> String {
        var text = Array(value.utf8)
        if text.count >= 2, text.first == 0x22, text.last == 0x22 {
            var bytes: [UInt8] = []
            var rest = text.dropFirst().dropLast()
            while let byte = rest.popFirst() {
                if byte != 0x5c {
                    bytes.append(byte)
                } else if let next = rest.popFirst() {
                    bytes.append(next)
                }
            }
            text = bytes
        }
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            let isEscape = byte == 0x25 && rest.count >= 2 && digits.allSatisfy(\.isHexDigit)
            bytes.append(isEscape ? UInt8(digits, radix: 16)! : byte)
            if isEscape { rest = rest.dropFirst(2) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
