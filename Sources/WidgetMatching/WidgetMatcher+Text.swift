internal import ByteStorage
package import ReloadModel
internal import StrictJSON

extension WidgetMatcher {
    /// A widget's configuration as JSON; the order of its parameters is no particular one.
    package func configurationText(of widget: WidgetID) -> String {
        let record = widgets[widget]
        let shape = shapes[record.shape]
        var writer = JSONWriter()
        writer.beginObject()
        for position in 0..<Int(shape.parameterCount) {
            let name = values.element(shape.layout, position)
            writer.key(reader.vocabulary.names.bytes(of: name).string)
            write(value(of: record, position), to: &writer)
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func write(_ value: ValueID, to writer: inout JSONWriter) {
        let bytes = values.bytes(of: value)
        switch values.tag(of: value) {
        case .string: writer.string(bytes)
        case .number: CanonicalNumber.text(bytes).withByteView { writer.raw($0) }
        case .true: writer.boolean(true)
        case .false: writer.boolean(false)
        case .list:
            writer.beginArray()
            for position in 0..<values.elementCount(of: value) {
                write(values.element(value, position), to: &writer)
            }
            writer.endArray()
        case .null, .layout, .container: writer.null()
        }
    }

    /// The app, name and rule of a kind that is installed.
    func rule(of kind: KindID) -> InstalledKind? {
        Int(kind) < kinds.count ? kinds[Int(kind)] : nil
    }
}
