internal import Basics
internal import StoreFormat

/// Replaces values that identify people in records by hashes, under a key that is kept nowhere.
///
/// Equal values get equal hashes, so that what matched before matches afterwards:
///
///     a string     "h" and 16 digits in hex; a push token without the "h"
///     a number     a whole number below 2^48, with .5 after it if the value is no 64-bit integer
///     true, false, null, names of members      as they are
///
/// Replaced are devices, widgets, producers, push tokens, and the values in payloads,
/// configurations and unknown members. App ids, kinds, families, dates and policies of timelines,
/// and what STATE reports of the app, stay as they are. In rules, values that are compared for
/// equality are replaced too. So are operands of `prefix`, `suffix`, `equals-ignore-case`,
/// `wildcard` and `regexp`, which then match nothing any more; `numeric` and `cidr` stay as they
/// are, and match only by chance.
///
/// A body that is not a JSON object is replaced by an empty object.
package final class CaptureRedaction {
    private var writer: RedactionWriter

    /// - Parameter key: a random key, drawn for each recording and discarded with it.
    package init(key: (UInt64, UInt64)) { writer = RedactionWriter(key) }

    /// Calls `body` with the redacted record, which is valid only until that returns.
    package func withRedacted(_ record: CaptureRecord, body: (CaptureRecord) -> Void) {
        var redacted = record
        switch record.kind {
        case .ended, .lost: return body(record)
        case .apps:
            openAppFile(record.body).withByteView {
                writer.rewrite($0, from: 0, as: .apps)
            }
        case .push:
            let prefix = record.pushParts.map { record.body.count - $0.payload.count } ?? 0
            writer.rewrite(record.body, from: prefix, as: .push)
        case .hello, .widgets, .timeline, .state, .request, .attach:
            writer.rewrite(record.body, from: 0, as: record.kind)
        }
        redacted.body = writer.bytes
        body(redacted)
    }
}

/// Rewrites the bodies of records with hashes in place of the values that `CaptureRedaction`
/// replaces.
struct RedactionWriter: ~Copyable {
    /// The key of the hashes that replace strings.
    private let strings: HashKey
    /// The key of the hashes that replace numbers.
    private let numbers: HashKey
    private var scanner = JSONScanner(depthLimit: 64)
    private var output = StoreWriter()
    private var number = StoreWriter(capacity: 512)

    /// The JSON that is being rewritten; its first `copiedCount` bytes are in `output`, with values
    /// replaced.
    private var source = RedactionWriter.emptyObject
    private var copiedCount = 0

    init(_ key: (UInt64, UInt64)) {
        strings = HashKey(low: key.0, high: key.1)
        numbers = HashKey(low: key.0, high: ~key.1)
    }

    /// The last rewritten body, valid until the next `rewrite`.
    var bytes: ByteView { output.bytes }

    private static var emptyObject: ByteView {
        let text: StaticString = "{}"
        return unsafe ByteView(base: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// Rewrites a body; its first `start` bytes are copied as they are.
    mutating func rewrite(_ body: ByteView, from start: Int, as kind: CaptureKind) {
        output.clear()
        output.put(raw: body.slice(0, to: start))
        source = body.slice(start, to: body.count)
        copiedCount = 0
        if !isObject(source) { source = Self.emptyObject }
        var reader = JSONReader(source)
        switch kind {
        case .widgets: widgets(&reader)
        case .apps: apps(&reader)
        case .push, .hello, .timeline, .state, .request, .attach:
            members(&reader) { Self.isKept($0, in: kind) }
        case .ended, .lost: break
        }
        output.put(raw: source.slice(copiedCount, to: source.count))
    }

    /// Whether a body is one strict JSON object.
    private mutating func isObject(_ body: ByteView) -> Bool {
        defer { scanner.resetScratch() }
        return (try? validateJSON(body, using: &scanner)) != nil
    }

    // MARK: - Bodies

    /// Whether a member of a body stays as it is.
    private static func isKept(_ name: JSONText, in kind: CaptureKind) -> Bool {
        switch kind {
        case .hello: name == "v" || name == "role" || name == "app"
        case .timeline:
            name == "reload" || name == "entries" || name == "policy" || name == "because"
                || name == "ownTimer"
        case .state: name == "foreground" || name == "media" || name == "location"
        case .request: name == "kind" || name == "because"
        case .ended, .push, .widgets, .attach, .apps, .lost: false
        }
    }

    /// Replaces the values of all members except those that `isKept` accepts.
    private mutating func members(_ reader: inout JSONReader, keeping isKept: (JSONText) -> Bool) {
        reader.enterObject()
        while let name = reader.nextKey() {
            if isKept(name) { reader.skipValue() } else { value(&reader) }
        }
    }

    /// Rewrites a widget in WIDGETS.
    private mutating func widget(_ reader: inout JSONReader) {
        reader.enterObject()
        while let name = reader.nextKey() {
            switch name {
            case "kind", "family": reader.skipValue()
            default: member(&reader, named: name)
            }
        }
    }

    /// Replaces the value of a member of WIDGETS or of a widget in it, which may be a push token.
    private mutating func member(_ reader: inout JSONReader, named name: JSONText) {
        let isToken = name == "pushToken" || name == "appPushToken"
        if isToken && reader.peek() == .string {
            string(&reader, isToken: true)
        } else {
            value(&reader)
        }
    }

    /// Rewrites a body of WIDGETS.
    private mutating func widgets(_ reader: inout JSONReader) {
        reader.enterObject()
        while let name = reader.nextKey() {
            if name == "widgets" && reader.peek() == .array {
                elements(&reader) { writer, reader in
                    if reader.peek() == .object {
                        writer.widget(&reader)
                    } else {
                        writer.value(&reader)
                    }
                }
            } else {
                member(&reader, named: name)
            }
        }
    }

    /// Calls `body` at each element of an array.
    private mutating func elements(
        _ reader: inout JSONReader,
        body: (inout RedactionWriter, inout JSONReader) -> Void
    ) {
        reader.enterArray()
        while reader.nextElement() { body(&self, &reader) }
    }

    // MARK: - Values

    /// Replaces a value, or all values within an object or array.
    private mutating func value(_ reader: inout JSONReader) {
        switch reader.peek() {
        case .object: members(&reader) { _ in false }
        case .array: elements(&reader) { $0.value(&$1) }
        case .string: string(&reader)
        case .number: number(&reader)
        case .true, .false, .null: reader.skipValue()
        }
    }

    /// Replaces a string by "h" and 16 digits of its hash, and a push token by the digits alone.
    private mutating func string(_ reader: inout JSONReader, isToken: Bool = false) {
        let start = reader.offset
        let text = reader.readString()
        let hash =
            text.hasEscapes ? text.withDecoded { strings.digest($0) } : strings.digest(text.raw)
        replace(start, to: start + text.raw.count + 2)
        output.put(0x22 as UInt8)
        if !isToken { output.put(0x68 as UInt8) }
        for shift in stride(from: 60 as UInt64, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: hash >> shift & 15)
            output.put(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
        output.put(0x22 as UInt8)
    }

    /// Replaces a number by one made of its hash.
    private mutating func number(_ reader: inout JSONReader) {
        let start = reader.offset
        let text = reader.readNumber()
        number.clear()
        let destination = unsafe number.extend(text.count + 16)
        number.truncate(to: unsafe CanonicalNumber.write(text, into: destination))
        replace(start, to: start + text.count)
        let isWhole = number.bytes[0] == 0x69
        put(decimal: numbers.digest(number.bytes) >> 16)
        if !isWhole {
            output.put(0x2e as UInt8)
            output.put(0x35 as UInt8)
        }
    }

    /// Writes a number in decimal.
    private mutating func put(decimal value: UInt64) {
        if value >= 10 { put(decimal: value / 10) }
        output.put(UInt8(truncatingIfNeeded: value % 10) + 0x30)
    }

    /// Copies everything up to a value, and skips the value; the caller then writes its
    /// replacement.
    private mutating func replace(_ start: Int, to end: Int) {
        output.put(raw: source.slice(copiedCount, to: start))
        copiedCount = end
    }

    // MARK: - Rules

    /// Rewrites the rules in an app file.
    private mutating func apps(_ reader: inout JSONReader) {
        each(&reader, in: "apps") { writer, reader in
            writer.each(&reader, in: "kinds") { $0.kind(&$1) }
        }
    }

    /// Calls `body` at each element of the array in the member of that name, if there is one.
    private mutating func each(
        _ reader: inout JSONReader,
        in wanted: StaticString,
        body: (inout RedactionWriter, inout JSONReader) -> Void
    ) {
        if reader.peek() != .object { return reader.skipValue() }
        reader.enterObject()
        while let name = reader.nextKey() {
            if name == wanted && reader.peek() == .array {
                elements(&reader, body: body)
            } else {
                reader.skipValue()
            }
        }
    }

    /// Rewrites the rule of a kind in an app file, if it has one.
    private mutating func kind(_ reader: inout JSONReader) {
        if reader.peek() != .object { return reader.skipValue() }
        reader.enterObject()
        while let name = reader.nextKey() {
            if name == "match" && reader.peek() == .object {
                pattern(&reader)
            } else {
                reader.skipValue()
            }
        }
    }

    /// Rewrites a pattern, or a pattern nested in one.
    private mutating func pattern(_ reader: inout JSONReader) {
        reader.enterObject()
        while let name = reader.nextKey() {
            switch reader.peek() {
            case .object: pattern(&reader)
            case .array:
                let isOr = name == "$or"
                elements(&reader) { writer, reader in
                    if isOr && reader.peek() == .object {
                        writer.pattern(&reader)
                    } else {
                        writer.alternative(&reader)
                    }
                }
            case .string, .number, .true, .false, .null: reader.skipValue()
            }
        }
    }

    /// Rewrites an alternative of a rule: a value, a list of values, or an object with an operator.
    private mutating func alternative(_ reader: inout JSONReader) {
        switch reader.peek() {
        case .object:
            reader.enterObject()
            while let name = reader.nextKey() {
                let isKept = name == "numeric" || name == "cidr" || name == "exists"
                if isKept { reader.skipValue() } else { alternative(&reader) }
            }
        case .array: elements(&reader) { $0.alternative(&$1) }
        case .string:
            // A placeholder stands for a widget's value, and must stay as it is.
            var ahead = reader
            let isPlaceholder = ahead.readString().withDecoded { text in
                (0..<max(0, text.count - 1)).contains { text[$0] == 0x24 && text[$0 + 1] == 0x7b }
            }
            if isPlaceholder { reader = ahead } else { string(&reader) }
        case .number: number(&reader)
        case .true, .false, .null: reader.skipValue()
        }
    }
}
