internal import Basics
internal import CaptureFormat
internal import StoreFormat

/// Rewrites recorded bodies for a replay: with the names and values of a copy, and with dates moved
/// so that they lie as far in the future as they did when they were recorded.
///
/// A scaled replay plays every producer and device several times. Copy 0 has the recorded names and
/// values. In copy 2 the device `d-1` becomes `d-1~2`, the value `"elf-42"`
/// becomes `"elf-42~2"`, and 42 becomes 2,000,000,000,042.
struct BodyCopier: ~Copyable {
    /// The most digits of a number that is changed for a copy; longer ones stay as they are.
    private static var digitLimit: Int { 12 }

    private let apps: [ScaledFields]
    private let suffixes: [[UInt8]]
    private var writer = StoreWriter(capacity: 4 << 10)
    private var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
    /// The offset up to which the current body has been copied.
    private var copied = 0

    init(_ apps: [AppDeclaration], scale: Int) {
        assert(scale > 0, "not even the recorded copy is played")
        self.apps = apps.map { ScaledFields($0) }
        suffixes = (0..<scale).map { Array(Self.suffix($0).utf8) }
    }

    /// What a copy appends to names and values; empty for copy 0.
    static func suffix(_ copy: Int) -> String { copy == 0 ? "" : "~\(copy)" }

    /// The body written last; valid until the next one is written.
    var bytes: ByteView { writer.bytes }

    /// Checks whether a body is valid JSON, which the other methods require.
    mutating func isValid(_ body: ByteView) -> Bool {
        defer { scanner.resetScratch() }
        do throws(JSONError) {
            try validateJSON(body, using: &scanner)
            return true
        } catch {
            return false
        }
    }

    // MARK: - Payloads

    /// Writes a valid payload with the values of a copy.
    mutating func writePayload(_ body: ByteView, app: Int, copy: Int) {
        assert(suffixes.indices.contains(copy), "the replay has no such copy")
        begin()
        var reader = JSONReader(body)
        copyMembers(body, reader: &reader, app: app, node: 0, copy: copy)
        end(body)
    }

    /// Copies an object of a payload; `node` is its place in the rules, nil if no rule is about it.
    private mutating func copyMembers(
        _ body: ByteView,
        reader: inout JSONReader,
        app: Int,
        node: Int?,
        copy: Int
    ) {
        reader.enterObject()
        while let key = reader.nextKey() {
            let name = Self.hash(key)
            let child = node.flatMap { apps[app].member(of: $0, hash: name) }
            var isScaled = child.map { apps[app].nodes[$0].isScaled } ?? false
            if node == 0, apps[app].isScaledWithoutRule(name) {
                isScaled = true
            }
            copyValue(body, reader: &reader, app: app, node: child, isScaled: isScaled, copy: copy)
        }
    }

    /// Copies a value, or all elements of a list, scaled if `isScaled`.
    private mutating func copyValue(
        _ body: ByteView,
        reader: inout JSONReader,
        app: Int,
        node: Int?,
        isScaled: Bool,
        copy: Int
    ) {
        switch reader.peek() {
        case .array:
            reader.enterArray()
            while reader.nextElement() {
                copyValue(
                    body,
                    reader: &reader,
                    app: app,
                    node: node,
                    isScaled: isScaled,
                    copy: copy
                )
            }
        case .object:
            // Node 0 is the payload itself, not a value within it.
            if let node, node > 0 {
                copyMembers(body, reader: &reader, app: app, node: node, copy: copy)
            } else {
                reader.skipValue()
            }
        case .string, .number:
            if isScaled {
                scale(body, reader: &reader, app: app, copy: copy)
            } else {
                reader.skipValue()
            }
        case .true, .false, .null: reader.skipValue()
        }
    }

    /// Writes a scaled string or number as the copy has it: with the suffix, or with 10¹² added for
    /// each copy.
    private mutating func scale(
        _ body: ByteView,
        reader: inout JSONReader,
        app: Int,
        copy: Int
    ) {
        let start = reader.offset
        if reader.peek() == .string {
            let text = reader.readString()
            if apps[app].isLiteral(Self.hash(text)) { return }
            insert(suffixes[copy], at: start + 1 + text.raw.count, of: body)
            return
        }
        let digits = reader.readNumber()
        guard digits.count <= Self.digitLimit, let number = Self.wholeNumber(digits) else { return }
        copyUp(to: start, of: body)
        var scaled = number + UInt64(copy) * 1_000_000_000_000
        var reversed = (bytes: (0 as UInt64, 0 as UInt64, 0 as UInt64), count: 0)
        unsafe withUnsafeMutableBytes(of: &reversed.bytes) { buffer in
            repeat {
                reversed.count += 1
                unsafe buffer[24 - reversed.count] = UInt8(48 + scaled % 10)
                scaled /= 10
            } while scaled > 0
            let first = unsafe buffer.baseAddress! + (24 - reversed.count)
            writer.put(raw: unsafe ByteView(base: first, count: reversed.count))
        }
        copied = start + digits.count
    }

    private static func wholeNumber(_ digits: ByteView) -> UInt64? {
        var number: UInt64 = 0
        for offset in 0..<digits.count {
            let digit = digits[offset]
            guard digit >= 0x30, digit <= 0x39 else { return nil }
            number = number * 10 + UInt64(digit - 0x30)
        }
        return number
    }

    private static func hash(_ text: JSONText) -> UInt64 {
        if !text.hasEscapes { return ScaledFields.hash(text.raw) }
        return text.withDecoded { ScaledFields.hash($0) }
    }

    // MARK: - Bodies of devices

    /// Writes the valid body of a device's frame.
    ///
    /// - Parameters:
    ///   - body: the body as it was recorded.
    ///   - kind: WIDGETS, TIMELINE, STATE, REQUEST or ATTACH.
    ///   - app: the number of the app.
    ///   - copy: the copy whose device it is about.
    ///   - shift: how far dates are moved.
    mutating func writeDeviceBody(
        _ body: ByteView,
        kind: CaptureKind,
        app: Int,
        copy: Int,
        shift: Milliseconds
    ) {
        assert(suffixes.indices.contains(copy), "the replay has no such copy")
        assert(
            [.widgets, .timeline, .state, .request, .attach].contains(kind),
            "the frame is not about a device"
        )
        begin()
        if kind == .timeline { return writeTimeline(body, copy: copy, shift: shift) }
        var reader = JSONReader(body)
        reader.enterObject()
        while let key = reader.nextKey() {
            if key == "device", reader.peek() == .string {
                copyName(body, reader: &reader, copy: copy)
            } else if kind == .attach, key == "devices", reader.peek() == .array {
                reader.enterArray()
                while reader.nextElement() {
                    if reader.peek() == .string {
                        copyName(body, reader: &reader, copy: copy)
                    } else {
                        reader.skipValue()
                    }
                }
            } else if kind == .widgets, key == "widgets", reader.peek() == .array {
                reader.enterArray()
                while reader.nextElement() {
                    copyWidget(body, reader: &reader, app: app, copy: copy)
                }
            } else {
                reader.skipValue()
            }
        }
        end(body)
    }

    private mutating func copyName(_ body: ByteView, reader: inout JSONReader, copy: Int) {
        let start = reader.offset
        let text = reader.readString()
        insert(suffixes[copy], at: start + 1 + text.raw.count, of: body)
    }

    private mutating func copyWidget(
        _ body: ByteView,
        reader: inout JSONReader,
        app: Int,
        copy: Int
    ) {
        guard reader.peek() == .object else { return reader.skipValue() }
        // The kind may come after the configuration, so it is looked up first.
        var ahead = reader
        var kind: UInt64 = 0
        ahead.enterObject()
        while let key = ahead.nextKey() {
            if key == "kind", ahead.peek() == .string {
                kind = Self.hash(ahead.readString())
            } else {
                ahead.skipValue()
            }
        }
        reader.enterObject()
        while let key = reader.nextKey() {
            guard key == "configuration", reader.peek() == .object else {
                reader.skipValue()
                continue
            }
            reader.enterObject()
            while let name = reader.nextKey() {
                let isScaled = apps[app].isScaled(parameter: Self.hash(name), kind: kind)
                copyValue(
                    body,
                    reader: &reader,
                    app: app,
                    node: nil,
                    isScaled: isScaled,
                    copy: copy
                )
            }
        }
    }

    /// Writes a TIMELINE with its dates moved, and without the number of the RELOAD that it
    /// answered, which has another number in the replay.
    private mutating func writeTimeline(_ body: ByteView, copy: Int, shift: Milliseconds) {
        var json = JSONWriter()
        json.beginObject()
        var reader = JSONReader(body)
        reader.enterObject()
        while let key = reader.nextKey() {
            let value = reader.rawValue()
            let name = key.string
            if name == "reload" { continue }
            json.key(name)
            switch name {
            case "device":
                var text = JSONReader(value)
                json.string(text.readString().string + Self.suffix(copy))
            case "entries": Self.putDates(value, shift: shift, to: &json)
            case "policy": Self.putPolicy(value, shift: shift, to: &json)
            default: json.raw(value)
            }
        }
        json.endObject()
        json.bytes.withByteView { writer.put(raw: $0) }
    }

    private static func putDates(_ value: ByteView, shift: Milliseconds, to json: inout JSONWriter)
    {
        var reader = JSONReader(value)
        guard reader.peek() == .array else { return json.raw(value) }
        json.beginArray()
        reader.enterArray()
        while reader.nextElement() {
            json.integer((reader.readInteger() ?? 0) &+ shift.rawValue)
        }
        json.endArray()
    }

    private static func putPolicy(_ value: ByteView, shift: Milliseconds, to json: inout JSONWriter)
    {
        var reader = JSONReader(value)
        guard reader.peek() == .object else { return json.raw(value) }
        json.beginObject()
        reader.enterObject()
        while let key = reader.nextKey() {
            json.key(key.string)
            if key == "after" {
                json.integer((reader.readInteger() ?? 0) &+ shift.rawValue)
            } else {
                json.raw(reader.rawValue())
            }
        }
        json.endObject()
    }

    // MARK: - Copying

    private mutating func begin() {
        writer.clear()
        copied = 0
    }

    private mutating func end(_ body: ByteView) { copyUp(to: body.count, of: body) }

    /// Copies the body unchanged, from where copying has stopped to the offset.
    private mutating func copyUp(to offset: Int, of body: ByteView) {
        writer.put(raw: body.slice(copied, to: offset))
        copied = offset
    }

    /// Copies the body up to the offset and writes the suffix there.
    private mutating func insert(_ suffix: [UInt8], at offset: Int, of body: ByteView) {
        copyUp(to: offset, of: body)
        suffix.withByteView { writer.put(raw: $0) }
    }
}
