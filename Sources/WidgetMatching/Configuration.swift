internal import ByteStorage
internal import StrictJSON

/// A widget's parameters in the form in which they are stored and compared.
///
///     [ parameter: name u32 | values u32 | value … ] …
///     value: [ tag u8 | length u24 | bytes, padded to 4 ]
///
/// Numbers are canonical, so that configurations that mean the same have the same bytes as long as
/// their parameters stand in the same order.
struct Configuration {
    let bytes: ByteView

    /// Goes through the parameters.
    var parameters: Parameters { Parameters(bytes: bytes) }

    /// The values of a parameter; none if the widget lacks it.
    func values(of wanted: NameID) -> ConfigurationValues {
        var parameters = parameters
        while let parameter = parameters.next() {
            if parameter.name == wanted { return parameter.values }
        }
        return ConfigurationValues(bytes: bytes.slice(0, 0), count: 0)
    }

    /// One parameter: its name, and its value or the elements of its list.
    struct Parameter {
        let name: NameID
        let values: ConfigurationValues
    }

    /// The parameters that are still to come.
    struct Parameters {
        private let bytes: ByteView
        private var offset = 0

        fileprivate init(bytes: ByteView) {
            self.bytes = bytes
        }

        mutating func next() -> Parameter? {
            if offset == bytes.count { return nil }
            let head = bytes.word(at: offset)
            let values = ConfigurationValues(
                bytes: bytes.slice(offset + 8, bytes.count),
                count: Int(head >> 32)
            )
            offset += 8 + values.byteCount
            return Parameter(name: NameID(truncatingIfNeeded: head), values: values)
        }
    }
}

/// The values of one parameter that are still to come.
struct ConfigurationValues {
    private let bytes: ByteView
    private var offset = 0
    private(set) var count: Int

    fileprivate init(bytes: ByteView, count: Int) {
        self.bytes = bytes
        self.count = count
    }

    /// The bytes that the values take, from the first on.
    fileprivate var byteCount: Int {
        var rest = self
        while rest.next() != nil {}
        return rest.offset
    }

    mutating func next() -> TypedValue? {
        if count == 0 { return nil }
        let head = UInt32(truncatingIfNeeded: bytes.slice(offset, offset + 4).prefixWord)
        let start = offset + 4
        let end = start + Int(head >> 8)
        offset = (end + 3) & ~3
        count -= 1
        return TypedValue(
            tag: ValueTag(rawValue: UInt8(truncatingIfNeeded: head))!,
            bytes: bytes.slice(start, end)
        )
    }
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
