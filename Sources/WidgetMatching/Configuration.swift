internal import ByteStorage
internal import StrictJSON

/// A widget's parameters in the form in which they are stored and compared.
///
///     [ parameter: name u32 | values u32 | value … ] …
///     value: [ tag u8 | length u24 | bytes, padded to 4 ]
///
/// Numbers are canonical, so that configurations that mean the same have the same bytes as long as
/// their parameters stand in the same order.
@safe
struct Configuration {
    let bytes: ByteView

    /// Goes through the parameters.
    func forEachParameter(_ body: (NameID, ConfigurationValues) -> Void) {
        var offset = 0
        while offset < bytes.count {
            let name = load(offset)
            let values = ConfigurationValues(
                bytes: bytes.slice(offset + 8, bytes.count),
                count: Int(load(offset + 4))
            )
            body(name, values)
            offset += 8 + values.byteCount
        }
    }

    /// The values of a parameter; none if the widget lacks it.
    func values(of wanted: NameID) -> ConfigurationValues {
        var offset = 0
        while offset < bytes.count {
            let values = ConfigurationValues(
                bytes: bytes.slice(offset + 8, bytes.count),
                count: Int(load(offset + 4))
            )
            if load(offset) == wanted { return values }
            offset += 8 + values.byteCount
        }
        return ConfigurationValues(bytes: bytes.slice(0, 0), count: 0)
    }

    private func load(_ offset: Int) -> UInt32 {
        unsafe bytes.address.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    }
}

/// The values of one parameter: one, or the elements of its list.
struct ConfigurationValues {
    let bytes: ByteView
    let count: Int

    /// The bytes that the values take.
    var byteCount: Int {
        var offset = 0
        for _ in 0..<count { offset += 4 + Self.padded(length(offset)) }
        return offset
    }

    func forEachValue(_ body: (TypedValue) -> Void) {
        var offset = 0
        for _ in 0..<count {
            let length = length(offset)
            let tag = ValueTag(rawValue: bytes[offset])!
            body(TypedValue(tag: tag, bytes: bytes.slice(offset + 4, offset + 4 + length)))
            offset += 4 + Self.padded(length)
        }
    }

    /// Whether one of the values equals the field's.
    func contains(_ field: FieldValue) -> Bool {
        var offset = 0
        for _ in 0..<count {
            let length = length(offset)
            if bytes[offset] == field.tag.rawValue
                && bytes.slice(offset + 4, offset + 4 + length) == field.bytes
            {
                return true
            }
            offset += 4 + Self.padded(length)
        }
        return false
    }

    private func length(_ offset: Int) -> Int {
        Int(bytes[offset + 1]) | Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3]) << 16
    }

    static func padded(_ length: Int) -> Int { (length + 3) & ~3 }
}

/// Reads a configuration from JSON into the stored form.
struct ConfigurationEncoder {
    private(set) var bytes: [UInt8] = []

    /// - Parameters:
    ///   - json: a JSON object that the scanner has accepted.
    ///   - name: gives a parameter's name its number.
    /// - Throws: what is wrong, and where.
    mutating func encode(
        _ json: ByteView,
        _ name: (ByteView) -> NameID
    ) throws(ConfigurationError) {
        bytes.removeAll(keepingCapacity: true)
        if json.count > WidgetMatcher.configurationLimit {
            throw ConfigurationError(reason: .tooLong, parameter: "")
        }
        var reader = JSONReader(json)
        guard reader.peek() == .object else {
            throw ConfigurationError(reason: .notAnObject, parameter: "")
        }
        reader.enterObject()
        var count = 0
        while let key = reader.nextKey() {
            count += 1
            if count > WidgetMatcher.parameterLimit {
                throw ConfigurationError(reason: .tooManyParameters, parameter: "")
            }
            let length = key.withDecoded { $0.count }
            if length < 1 || length > 128 {
                throw ConfigurationError(reason: .nameLength, parameter: key.string)
            }
            append(key.withDecoded(name))
            try encodeValues(&reader, key)
        }
    }

    private mutating func encodeValues(
        _ reader: inout JSONReader,
        _ key: JSONText
    ) throws(ConfigurationError) {
        let place = bytes.count
        append(1)
        guard reader.peek() == .array else {
            if !encodeValue(&reader) {
                throw ConfigurationError(reason: .value, parameter: key.string)
            }
            return
        }
        var count: UInt32 = 0
        reader.enterArray()
        while reader.nextElement() {
            if !encodeValue(&reader) {
                throw ConfigurationError(reason: .listElement, parameter: key.string)
            }
            count += 1
        }
        for index in 0..<4 {
            bytes[place + index] = UInt8(truncatingIfNeeded: count >> UInt32(8 * index))
        }
    }

    private mutating func encodeValue(_ reader: inout JSONReader) -> Bool {
        switch reader.peek() {
        case .string: reader.readString().withDecoded { append(.string, $0) }
        case .number: appendNumber(reader.readNumber())
        case .true, .false: append(reader.readBoolean() ? .true : .false, nil)
        case .null, .object, .array: return false
        }
        return true
    }

    private mutating func appendNumber(_ text: ByteView) {
        withCanonicalNumber(text) { append(.number, $0) }
    }

    private mutating func append(_ tag: ValueTag, _ value: ByteView?) {
        let count = value?.count ?? 0
        append(UInt32(tag.rawValue) | UInt32(count) << 8)
        if let value { bytes += value.array }
        while bytes.count & 3 != 0 { bytes.append(0) }
    }

    private mutating func append(_ word: UInt32) {
        for index in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(8 * index))) }
    }
}

/// Lends a number's canonical form.
func withCanonicalNumber<Result>(_ text: ByteView, _ body: (ByteView) -> Result) -> Result {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: text.count + 16, alignment: 8)
    defer { unsafe memory.deallocate() }
    let count = unsafe CanonicalNumber.write(text, into: memory)
    return body(unsafe ByteView(base: memory, count: count))
}
