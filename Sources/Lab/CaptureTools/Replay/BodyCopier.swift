internal import CaptureFormat
internal import DataStructures
internal import ReloadModel
internal import StoreFormat
internal import StrictJSON

/// Rewrites recorded bodies for a replay: with the names and values of a copy, and with dates moved
/// so that they lie as far ahead as when they were recorded.
///
/// Copy 0 is what was recorded. In copy 2 the device `d-1` becomes `d-1~2`, the value `"elf-42"`
/// becomes `"elf-42~2"`, and 42 becomes 2,000,000,000,042.
struct BodyCopier: ~Copyable {
    /// Most digits of a number that is changed for a copy; longer ones stay as they are.
    private static var digitLimit: Int { 12 }

    private let apps: [ScaledFields]
    private let suffixes: [[UInt8]]
    private var writer = StoreWriter(capacity: 4 << 10)
    private var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
    /// The offset up to which the current body has been copied.
    private var copied = 0

    init(_ apps: [AppDeclaration], scale: Int) {
        self.apps = apps.map { ScaledFields($0) }
        suffixes = (0..<scale).map { Array(Self.suffix($0).utf8) }
    }

    /// What a copy appends to names and values; empty for copy 0.
    static func suffix(_ copy: Int) -> String { copy == 0 ? "" : "~\(copy)" }

    /// The body written last; valid until the next one is written.
    var bytes: ByteView { writer.bytes }

    /// True if a body is valid JSON, which the other methods rely on.
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
        begin()
        var reader = JSONReader(body)
        copyMembers(body, &reader, app: app, node: 0, copy)
        end(body)
    }

    private mutating func copyMembers(
        _ body: ByteView,
        _ reader: inout JSONReader,
        app: Int,
        node: Int?,
        _ copy: Int
    ) {
        reader.enterObject()
        while let key = reader.nextKey() {
            let name = Self.hash(key)
            let child = node.flatMap { apps[app].member(of: $0, name) }
            var isScaled = child.map { apps[app].nodes[$0].isScaled } ?? false
            if node == 0, name != ScaledFields.kinds, apps[app].isScaledWithoutRule(name) {
                isScaled = true
            }
            copyValue(body, &reader, app: app, node: child, isScaled: isScaled, copy)
        }
    }

    private mutating func copyValue(
        _ body: ByteView,
        _ reader: inout JSONReader,
        app: Int,
        node: Int?,
        isScaled: Bool,
        _ copy: Int
    ) {
        switch reader.peek() {
        case .array:
            reader.enterArray()
            while reader.nextElement() {
                copyValue(body, &reader, app: app, node: node, isScaled: isScaled, copy)
            }
        case .object:
            // Node 0 is the payload itself, and no value within it.
            if let node, node > 0 {
                copyMembers(body, &reader, app: app, node: node, copy)
            } else {
                reader.skipValue()
            }
        case .string, .number:
            if isScaled { scale(body, &reader, app, copy) } else { reader.skipValue() }
        case .true, .false, .null: reader.skipValue()
        }
    }

    /// Writes a value as the copy has it.
    private mutating func scale(
        _ body: ByteView,
        _ reader: inout JSONReader,
        _ app: Int,
        _ copy: Int
    ) {
        let start = reader.offset
        if reader.peek() == .string {
            let text = reader.readString()
            if apps[app].isLiteral(Self.hash(text)) { return }
            insert(suffixes[copy], at: start + 1 + text.raw.count, body)
            return
        }
        let digits = reader.readNumber()
        guard digits.count <= Self.digitLimit, let number = Self.wholeNumber(digits) else { return }
        copyUp(to: start, body)
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
    ///   - kind: WIDGETS, TIMELINE, STATE or REQUEST.
    ///   - app: the number of the app.
    ///   - copy: the copy whose device it is about.
    ///   - shift: by how many ms dates are moved.
    mutating func writeDeviceBody(
        _ body: ByteView,
        _ kind: CaptureKind,
        app: Int,
        copy: Int,
        shift: Int64
    ) {
        begin()
        if kind == .timeline { return writeTimeline(body, copy, shift) }
        var reader = JSONReader(body)
        reader.enterObject()
        while let key = reader.nextKey() {
            if key == "device", reader.peek() == .string {
                copyName(body, &reader, copy)
            } else if kind == .widgets, key == "widgets", reader.peek() == .array {
                reader.enterArray()
                while reader.nextElement() { copyWidget(body, &reader, app, copy) }
            } else {
                reader.skipValue()
            }
        }
        end(body)
    }

    private mutating func copyName(_ body: ByteView, _ reader: inout JSONReader, _ copy: Int) {
        let start = reader.offset
        let text = reader.readString()
        insert(suffixes[copy], at: start + 1 + text.raw.count, body)
    }

    private mutating func copyWidget(
        _ body: ByteView,
        _ reader: inout JSONReader,
        _ app: Int,
        _ copy: Int
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
                copyValue(body, &reader, app: app, node: nil, isScaled: isScaled, copy)
            }
        }
    }

    /// Writes a TIMELINE with its dates moved, and without the number of the RELOAD that it
    /// answered, which has another number in the replay.
    private mutating func writeTimeline(_ body: ByteView, _ copy: Int, _ shift: Int64) {
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
            case "entries": Self.putDates(value, shift, &json)
            case "policy": Self.putPolicy(value, shift, &json)
            default: json.raw(value)
            }
        }
        json.endObject()
        json.bytes.withByteView { writer.put(raw: $0) }
    }

    private static func putDates(_ value: ByteView, _ shift: Int64, _ json: inout JSONWriter) {
        var reader = JSONReader(value)
        guard reader.peek() == .array else { return json.raw(value) }
        json.beginArray()
        reader.enterArray()
        while reader.nextElement() {
            json.integer((reader.readInteger() ?? 0) &+ shift)
        }
        json.endArray()
    }

    private static func putPolicy(_ value: ByteView, _ shift: Int64, _ json: inout JSONWriter) {
        var reader = JSONReader(value)
        guard reader.peek() == .object else { return json.raw(value) }
        json.beginObject()
        reader.enterObject()
        while let key = reader.nextKey() {
            json.key(key.string)
            if key == "after" {
                json.integer((reader.readInteger() ?? 0) &+ shift)
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

    private mutating func end(_ body: ByteView) { copyUp(to: body.count, body) }

    private mutating func copyUp(to offset: Int, _ body: ByteView) {
        writer.put(raw: body.slice(copied, offset))
        copied = offset
    }

    private mutating func insert(_ suffix: [UInt8], at offset: Int, _ body: ByteView) {
        copyUp(to: offset, body)
        suffix.withByteView { writer.put(raw: $0) }
    }
}
