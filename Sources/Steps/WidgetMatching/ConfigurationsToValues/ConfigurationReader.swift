internal import Basics

/// Reads and checks a widget's configuration: parameters, each with a value or a list of values.
///
/// The result stays here until `WidgetIndex` stores it, so that a refused configuration changes
/// nothing. The memory is reused for the next configuration.
struct ConfigurationReader: ~Copyable {
    /// One parameter: where its name is in `bytes`, and the range of its values in `values`.
    struct Parameter: BitwiseCopyable {
        var nameStart: Int
        var nameCount: Int
        var firstValue: Int
        var endValue: Int
        /// Whether the value is a list; false for a list with one element, which means the same.
        var isList: Bool
        /// The number of the name, once it is stored.
        var name = NameID.none
        /// The number of the value, or of the list of values, once it is stored.
        var value = ValueID.none
    }

    /// One value: its type, and where its bytes are in `bytes`.
    struct Value: BitwiseCopyable {
        var tag: ValueTag
        var start: Int
        var count: Int
    }

    /// The parameters, in the order of the configuration.
    var parameters = GrowingBuffer<Parameter>()
    /// The values of all parameters; those of a list are adjacent.
    private(set) var values = GrowingBuffer<Value>()
    /// The decoded names and strings, and the canonical numbers.
    private var bytes = GrowingBuffer<UInt8>(capacity: 256)

    init() {}

    /// Bytes allocated, used or not.
    var byteCount: Int { parameters.byteCount + values.byteCount + bytes.byteCount }

    /// The name of a parameter, valid until the next configuration is read.
    func name(_ parameter: Parameter) -> ByteView {
        view(from: parameter.nameStart, count: parameter.nameCount)
    }

    /// The value at an index of `values`, valid until the next configuration is read.
    func value(_ index: Int) -> TypedValue {
        TypedValue(
            tag: values[index].tag,
            bytes: view(from: values[index].start, count: values[index].count)
        )
    }

    private func view(from start: Int, count: Int) -> ByteView {
        assert(start >= 0 && start + count <= bytes.count, "\(count) bytes from \(start)")
        return unsafe ByteView(base: bytes.elements + start, count: count)
    }

    // MARK: - Reading

    /// Reads a configuration of at most `limit` bytes, a JSON value that the scanner has accepted.
    /// It replaces the one before.
    ///
    /// - Throws: what is wrong, and with which parameter.
    mutating func read(
        _ json: ByteView,
        limit: Int = WidgetMatcher.configurationLimit
    ) throws(ConfigurationError) {
        assert(limit > 0, "a configuration of at most \(limit) bytes")
        parameters.truncate(to: 0)
        values.truncate(to: 0)
        bytes.truncate(to: 0)
        if json.count > limit {
            throw ConfigurationError(reason: .tooLong(limit: limit), parameter: "")
        }
        var reader = JSONReader(json)
        guard reader.peek() == .object else {
            throw ConfigurationError(reason: .notAnObject, parameter: "")
        }
        reader.enterObject()
        while let key = reader.nextKey() {
            if parameters.count == WidgetMatcher.parameterLimit {
                throw ConfigurationError(reason: .tooManyParameters, parameter: "")
            }
            let name = append(key)
            if name.count < 1 || name.count > 128 {
                throw ConfigurationError(reason: .nameLength, parameter: key.string)
            }
            let first = values.count
            let isList = reader.peek() == .array
            try isList ? readList(&reader, of: key) : readValue(&reader, of: key, orThrow: .value)
            parameters.append(
                Parameter(
                    nameStart: name.start,
                    nameCount: name.count,
                    firstValue: first,
                    endValue: values.count,
                    // A list with one element means the same as its element.
                    isList: isList && values.count - first != 1
                )
            )
        }
    }

    /// Appends the elements of a parameter's list to `values`.
    private mutating func readList(
        _ reader: inout JSONReader,
        of key: JSONText
    ) throws(ConfigurationError) {
        reader.enterArray()
        while reader.nextElement() { try readValue(&reader, of: key, orThrow: .listElement) }
    }

    /// Appends a string, number or Boolean to `values`.
    ///
    /// - Throws: an error with this reason for a value of any other type.
    private mutating func readValue(
        _ reader: inout JSONReader,
        of key: JSONText,
        orThrow reason: ConfigurationError.Reason
    ) throws(ConfigurationError) {
        switch reader.peek() {
        case .string:
            let text = append(reader.readString())
            values.append(Value(tag: .string, start: text.start, count: text.count))
        case .number: readNumber(reader.readNumber())
        case .true, .false:
            let tag: ValueTag = reader.readBoolean() ? .true : .false
            values.append(Value(tag: tag, start: 0, count: 0))
        case .null, .object, .array: throw ConfigurationError(reason: reason, parameter: key.string)
        }
    }

    /// Appends a number to `values`, in canonical form.
    private mutating func readNumber(_ text: ByteView) {
        let start = bytes.count
        bytes.reserve(start + text.count + 16)
        let count = unsafe CanonicalNumber.write(text, into: bytes.elements + start)
        unsafe bytes.claim(count)
        values.append(Value(tag: .number, start: start, count: count))
    }

    /// Appends a decoded text to `bytes`, and returns its offset and length.
    private mutating func append(_ text: JSONText) -> (start: Int, count: Int) {
        let start = bytes.count
        text.withDecoded { bytes.append($0) }
        return (start, bytes.count - start)
    }
}

/// What is built while a widget is stored; its memory is reused for the next one.
struct WidgetDraft: ~Copyable {
    /// The widget's configuration.
    var configuration = ConfigurationReader()
    /// The keys under which the widget will be stored.
    var links = GrowingBuffer<KeyLink>(capacity: 64)
    /// The words of the next key, or the elements of a list or layout.
    var keyWords = GrowingBuffer<Word>(capacity: 64)
    /// Memory for the text of a key with its case folded.
    var folded = GrowingBuffer<UInt8>(capacity: 1_024)

    /// Bytes allocated, used or not.
    var byteCount: Int {
        configuration.byteCount + links.byteCount + keyWords.byteCount + folded.byteCount
    }
}
