internal import DataStructures
internal import StrictJSON

/// Reads a widget's configuration: parameters, each with a value or a list of values.
///
/// Everything is read, and refused if need be, before anything is stored.
struct ConfigurationReader: ~Copyable {
    /// One parameter: where its name and values lie.
    struct Parameter: BitwiseCopyable {
        var nameStart: Int
        var nameCount: Int
        var firstValue: Int
        var endValue: Int
        var isList: Bool
        /// What the name and the value are numbered, once they are.
        var name = NameTable.none
        var value = ValueTable.none
    }

    /// One value: its type, and where its bytes lie.
    struct Value: BitwiseCopyable {
        var tag: ValueTag
        var start: Int
        var count: Int
    }

    var parameters = GrowingBuffer<Parameter>()
    private(set) var values = GrowingBuffer<Value>()
    private var bytes = GrowingBuffer<UInt8>(capacity: 256)

    init() {}

    func name(_ parameter: Parameter) -> ByteView {
        view(parameter.nameStart, parameter.nameCount)
    }

    func value(_ index: Int) -> TypedValue {
        TypedValue(tag: values[index].tag, bytes: view(values[index].start, values[index].count))
    }

    private func view(_ start: Int, _ count: Int) -> ByteView {
        unsafe ByteView(base: bytes.elements + start, count: count)
    }

    // MARK: - Reading

    /// - Parameters:
    ///   - json: a JSON value that the scanner has accepted.
    ///   - limit: how long it may be.
    /// - Throws: what is wrong, and where.
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
                    // A list of one means what its only value does.
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
    /// Makes sure that there is room for `newCount` elements.
    @inline(__always)
    mutating func reserve(_ newCount: Int) {
        if newCount > capacity { grow(to: max(newCount, capacity * 2)) }
    }
}
