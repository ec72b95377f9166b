internal import DataStructures
internal import StrictJSON

/// Reads and checks a widget's configuration: parameters, each with a value or a list of values.
///
/// The result stays here until `WidgetIndex` stores it, so that a refused configuration changes
/// nothing. The memory is reused for the next configuration.
struct ConfigurationReader: ~Copyable {
    /// One parameter: the offsets of its name and the range of its values.
    struct Parameter: BitwiseCopyable {
        var nameStart: Int
        var nameCount: Int
        var firstValue: Int
        var endValue: Int
        var isList: Bool
        /// The numbers of the name and the value, once they are stored.
        var name = NameTable.none
        var value = ValueTable.none
    }

    /// One value: its type and the offset of its bytes.
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

    /// The name of a parameter, valid until the next configuration is read.
    func name(_ parameter: Parameter) -> ByteView {
        view(parameter.nameStart, parameter.nameCount)
    }

    /// The value at an index of `values`, valid until the next configuration is read.
    func value(_ index: Int) -> TypedValue {
        TypedValue(tag: values[index].tag, bytes: view(values[index].start, values[index].count))
    }

    private func view(_ start: Int, _ count: Int) -> ByteView {
        unsafe ByteView(base: bytes.elements + start, count: count)
    }

    // MARK: - Reading

    /// Reads a configuration, which replaces the one before.
    ///
    /// - Parameters:
    ///   - json: a JSON value that the scanner has accepted.
    ///   - limit: the most bytes that it may have.
    /// - Throws: what is wrong, and with which parameter.
    mutating func read(
        _ json: ByteView,
        limit: Int = WidgetMatcher.configurationLimit
    ) throws(ConfigurationError) {
        parameters.truncate(to: 0)
        values.truncate(to: 0)
        bytes.truncate(to: 0)
        if json.count > limit {
            throw ConfigurationError(reason: .tooLong, parameter: "")
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
            try isList ? readList(&reader, key) : readValue(&reader, key, .value)
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

    private mutating func readList(
        _ reader: inout JSONReader,
        _ key: JSONText
    ) throws(ConfigurationError) {
        reader.enterArray()
        while reader.nextElement() { try readValue(&reader, key, .listElement) }
    }

    private mutating func readValue(
        _ reader: inout JSONReader,
        _ key: JSONText,
        _ reason: ConfigurationError.Reason
    ) throws(ConfigurationError) {
        switch reader.peek() {
        case .string:
            let text = append(reader.readString())
            values.append(Value(tag: .string, start: text.start, count: text.count))
        case .number: readNumber(reader.readNumber())
        case .true, .false:
            let tag: ValueTag = reader.readBoolean() ? .true : .false
            values.append(Value(tag: tag, start: 0, count: 0))
        case .null, .object, .array:
            throw ConfigurationError(reason: reason, parameter: key.string)
        }
    }

    private mutating func readNumber(_ text: ByteView) {
        let start = bytes.count
        bytes.reserve(start + text.count + 16)
        let count = unsafe CanonicalNumber.write(text, into: bytes.elements + start)
        bytes.count = start + count
        values.append(Value(tag: .number, start: start, count: count))
    }

    /// Appends a decoded text to `bytes`, and returns its offset and length.
    private mutating func append(_ text: JSONText) -> (start: Int, count: Int) {
        let start = bytes.count
        text.withDecoded { bytes.append($0) }
        return (start, bytes.count - start)
    }
}

extension GrowingBuffer where Element == UInt8 {
    mutating func append(_ view: ByteView) {
        reserve(count + view.count)
        unsafe view.copy(to: elements + count)
        count += view.count
    }
}

extension GrowingBuffer {
    /// Grows the memory to at least `newCount` elements.
    @inline(__always)
    mutating func reserve(_ newCount: Int) {
        if newCount > capacity { grow(to: max(newCount, capacity * 2)) }
    }
}
