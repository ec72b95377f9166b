internal import Basics
internal import ChangeDetection
internal import FrameCodec

extension Reloads {
    /// Makes a RELOAD that names some widgets of a device.
    ///
    ///     {"device":"d-1","kinds":["k"],"widgets":["w1","w2"],"cause":"push","values":{…}}
    ///
    /// - Parameters:
    ///   - device: the device.
    ///   - record: its record, with its connection and the cause.
    ///   - widgets: the widgets' positions in `out.reloadWidgets`.
    ///   - out: collects frames, timers and counts that result.
    mutating func makeReload(
        for device: DeviceID,
        record: DeviceRecord,
        widgets: Range<Int>,
        into out: inout Outbox
    ) {
        if !out.frames.isKept { return }
        var bound = FrameBody.reloadBound(widgets: widgets.count)
        for index in widgets {
            let widget = out.reloadWidgets[index]
            bound += fields.inlinedByteCount(of: widget, in: delivery, by: catalog)
        }
        out.allowance.addReload(bound)
        var body = unsafe FrameBody(out.frames.makeRoom(bound), capacity: bound)
        body.appendReload(
            numbers.reload,
            of: device,
            cause: record.cause,
            widgets: out.reloadWidgets.span.extracting(widgets),
            in: delivery,
            by: &catalog,
            fields: fields
        )
        let byteCount = body.finish(.reload, seq: numbers.reload)
        assert(byteCount <= bound, "a RELOAD of \(byteCount) bytes, more than \(bound)")
        out.frames.append(
            OutgoingFrame(to: record.connection, type: .reload),
            byteCount: byteCount,
            of: bound
        )
    }
}

extension ReloadCause {
    /// The name as a constant of the program: copying it needs no reference counting.
    var staticName: StaticString {
        switch self {
        case .push: "push"
        case .after: "after"
        case .atEnd: "atEnd"
        case .request: "request"
        case .visible: "visible"
        case .location: "location"
        case .budget: "budget"
        case .download: "download"
        }
    }
}

/// Appends the parts of a frame's body to output memory, whose size is checked.
@safe
struct FrameBody: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    private let capacity: Int
    private var count = FrameHeader.byteCount

    /// Leaves room for the header at the start of `memory`, which has `capacity` bytes.
    @unsafe
    init(_ memory: UnsafeMutableRawPointer, capacity: Int) {
        precondition(capacity >= FrameHeader.byteCount, "a frame has a header")
        unsafe self.memory = unsafe memory
        self.capacity = capacity
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        precondition(text.utf8CodeUnitCount <= capacity - count, "a frame is longer than foreseen")
        unsafe (memory + count).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        count += text.utf8CodeUnitCount
    }

    @inline(__always)
    mutating func append(_ bytes: ByteView) {
        precondition(bytes.count <= capacity - count, "a frame is longer than foreseen")
        unsafe bytes.copy(to: memory + count)
        count += bytes.count
    }

    /// Appends what `write` writes; `write` returns the number of bytes, for which there must be
    /// memory.
    @unsafe
    mutating func append(_ write: (UnsafeMutableRawPointer) -> Int) {
        count += unsafe write(memory + count)
    }

    /// Writes the header in front of the body, and returns the size of the whole frame in bytes.
    mutating func finish(_ type: FrameType, seq: UInt64) -> Int {
        let header = FrameHeader(type: type, seq: seq, bodyCount: count - FrameHeader.byteCount)
        unsafe header.write(to: memory)
        return count
    }
}

extension FrameBody {
    /// An upper bound of a RELOAD's size in bytes, without its inlined values.
    @inline(__always)
    fileprivate static func reloadBound(widgets count: Int) -> Int {
        // Each name has quotation marks and a comma; every widget may add its own name, the name of
        // a kind, and its name again in front of its values.
        FrameHeader.byteCount + 96 + (RouterLimits.identifierBytes + 4) * (1 + 3 * count)
    }

    /// Appends the body of a RELOAD with a number, which names some widgets of a device.
    @inline(__always)
    fileprivate mutating func appendReload(
        _ number: UInt64,
        of device: DeviceID,
        cause: ReloadCause,
        widgets: Span<WidgetID>,
        in delivery: borrowing DeliveryTable,
        by catalog: inout Catalog,
        fields: borrowing FieldTable
    ) {
        append("{\"device\":\"")
        append(delivery.deviceName(device))
        append("\",\"kinds\":[\"")
        var isFirst = true
        for index in widgets.indices {
            let kind = delivery.widgets[widgets[index]].kind
            if catalog.kinds[kind].namedInReload == number { continue }
            catalog.kinds[kind].namedInReload = number
            if !isFirst { append("\",\"") }
            isFirst = false
            append(
                unsafe delivery.names.view(
                    catalog.kinds[kind].name,
                    count: catalog.kinds[kind].nameCount
                )
            )
        }
        append("\"],\"widgets\":[\"")
        for index in widgets.indices {
            if index > 0 { append("\",\"") }
            append(delivery.widgetName(widgets[index]))
        }
        append("\"],\"cause\":\"")
        append(cause.staticName)
        append("\"")
        appendValues(of: widgets, in: delivery, by: catalog, fields: fields)
        append("}")
    }

    /// Appends `,"values":{"w1":{"hp":30}}` if any of the widgets has inlined values.
    private mutating func appendValues(
        of widgets: Span<WidgetID>,
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog,
        fields: borrowing FieldTable
    ) {
        var isFirst = true
        for index in widgets.indices {
            let widget = widgets[index]
            if fields.inlinedByteCount(of: widget, in: delivery, by: catalog) == 0 { continue }
            append(isFirst ? ",\"values\":{\"" : ",\"")
            isFirst = false
            append(delivery.widgetName(widget))
            append("\":")
            let kind = delivery.widgets[widget].kind
            unsafe append { memory in
                unsafe fields.widgets.writeInlined(
                    widget,
                    kind: kind,
                    catalog: fields.catalog,
                    to: memory
                )
            }
        }
        if !isFirst { append("}") }
    }
}
