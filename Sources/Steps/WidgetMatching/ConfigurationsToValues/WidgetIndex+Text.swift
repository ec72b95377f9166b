package import Basics
package import StoreFormat

/// Writing configurations as JSON, for the store and for operators.
extension WidgetIndex {
    /// A widget's configuration as JSON; its parameters are in no particular order.
    package func configurationText(of widget: WidgetID) -> String {
        var writer = StoreWriter()
        writeConfiguration(of: widget, to: &writer)
        return writer.bytes.string
    }

    /// Writes a widget's configuration as JSON. Allocates nothing if the writer has the capacity.
    package func writeConfiguration(of widget: WidgetID, to writer: inout StoreWriter) {
        let record = widgets[widget]
        let shape = shapes[record.shape]
        writer.put(ascii: "{")
        for position in 0..<Int(shape.parameterCount) {
            if position > 0 { writer.put(ascii: ",") }
            let name = values.name(of: shape.layout, at: position)
            writer.put(quoted: vocabulary.names.bytes(of: name))
            writer.put(ascii: ":")
            write(value(of: record, at: position), to: &writer)
        }
        writer.put(ascii: "}")
    }

    /// Prefetches what `writeConfiguration` reads of a widget.
    package func prefetchConfiguration(of widget: WidgetID) {
        let record = widgets[widget]
        if shapes[record.shape].parameterCount > 1 {
            configurations.prefetch(record.values.block)
        } else {
            values.prefetch(record.values.only)
        }
    }

    /// Writes a stored value as JSON.
    func write(_ value: ValueID, to writer: inout StoreWriter) {
        switch values.tag(of: value) {
        case .string: writer.put(quoted: values.bytes(of: value))
        case .number: writer.put(number: values.bytes(of: value))
        case .true: writer.put(ascii: "true")
        case .false: writer.put(ascii: "false")
        case .list:
            writer.put(ascii: "[")
            for position in 0..<values.elementCount(of: value) {
                if position > 0 { writer.put(ascii: ",") }
                write(values.element(of: value, at: position), to: &writer)
            }
            writer.put(ascii: "]")
        case .null, .layout, .container: writer.put(ascii: "null")
        }
    }
}

/// Writing JSON without allocating anything.
extension StoreWriter {
    /// Writes ASCII text as it is.
    package mutating func put(ascii text: StaticString) {
        unsafe put(raw: ByteView(base: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes UTF-8 as a JSON string.
    package mutating func put(quoted text: ByteView) {
        put(ascii: "\"")
        var start = 0
        for offset in 0..<text.count {
            let byte = text[offset]
            if byte >= 0x20 && byte != 0x22 && byte != 0x5c { continue }
            put(raw: text.slice(start, to: offset))
            put(escaped: byte)
            start = offset + 1
        }
        put(raw: text.slice(start, to: text.count))
        put(ascii: "\"")
    }

    /// Writes the escape of a quotation mark, a backslash or a control character.
    private mutating func put(escaped byte: UInt8) {
        switch byte {
        case 0x22: put(ascii: "\\\"")
        case 0x5c: put(ascii: "\\\\")
        case 0x0a: put(ascii: "\\n")
        default:
            put(ascii: byte < 0x10 ? "\\u000" : "\\u001")
            let digit = byte & 15
            put(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }

    /// Writes a number in canonical form as JSON.
    mutating func put(number: ByteView) {
        let start = count
        let memory = unsafe extend(CanonicalNumber.textLimit(number))
        let byteCount = unsafe CanonicalNumber.writeText(number, into: memory)
        truncate(to: start + byteCount)
    }
}
