internal import ChangeDetection
internal import DataStructures
internal import FrameCodec
internal import ReloadModel

extension ReloadState {
    /// Makes the RELOAD of a device's widgets, which `out.reloadWidgets` has.
    ///
    ///     {"device":"d-1","kinds":["k"],"widgets":["w1","w2"],"cause":"push","values":{…}}
    ///
    /// - Parameters:
    ///   - device: whose they are.
    ///   - record: its record, with its connection and the cause.
    ///   - widgets: where they are in the list.
    ///   - out: collects frames, timers and counts that result.
    mutating func makeReload(
        _ device: DeviceID,
        _ record: DeviceRecord,
        _ widgets: Range<Int>,
        _ out: inout Outbox
    ) {
        out.room.addReload(Self.reloadBound(widgets: widgets.count))
        if !out.frames.isKept { return }
        var bound = Self.reloadBound(widgets: widgets.count)
        for index in widgets { bound += carriedByteCount(out.reloadWidgets[index]) }
        var body = unsafe FrameBody(out.frames.makeRoom(bound))
        write(device, record, out.reloadWidgets.span.extracting(widgets), to: &body)
        let byteCount = body.finish(.reload, seq: numbers.reload)
        assert(byteCount <= bound, "a RELOAD of \(byteCount) bytes in room for \(bound)")
        out.frames.append(OutgoingFrame(record.connection, .reload), byteCount, of: bound)
    }

    /// An upper bound of a RELOAD's bytes, without the values that it brings.
    @inline(__always)
    private static func reloadBound(widgets count: Int) -> Int {
        // Each name with its quotation marks and comma; every widget may bring a kind of its own, and
        // a name of its values.
        FrameHeader.byteCount + 96 + (RouterLimits.identifierBytes + 4) * (1 + 3 * count)
    }

    @inline(__always)
    private mutating func write(
        _ device: DeviceID,
        _ record: DeviceRecord,
        _ widgets: Span<WidgetID>,
        to body: inout FrameBody
    ) {
        body.append("{\"device\":\"")
        body.append(delivery.deviceName(device))
        body.append("\",\"kinds\":[\"")
        var isFirst = true
        for index in widgets.indices {
            let kind = Int(delivery.widgets[widgets[index]].kind)
            if catalog.kinds[kind].namedIn == numbers.reload { continue }
            catalog.kinds[kind].namedIn = numbers.reload
            if !isFirst { body.append("\",\"") }
            isFirst = false
            body.append(
                delivery.names.view(catalog.kinds[kind].name, catalog.kinds[kind].nameCount)
            )
        }
        body.append("\"],\"widgets\":[\"")
        for index in widgets.indices {
            if index > 0 { body.append("\",\"") }
            body.append(delivery.widgetName(widgets[index]))
        }
        body.append("\"],\"cause\":\"")
        body.append(record.cause.staticName)
        body.append("\"")
        writeValues(widgets, to: &body)
        body.append("}")
    }

    /// Writes `,"values":{"w1":{"hp":30}}` if RELOAD brings any.
    private func writeValues(
        _ widgets: Span<WidgetID>,
        to body: inout FrameBody
    ) {
        var isFirst = true
        for index in widgets.indices {
            let widget = widgets[index]
            if carriedByteCount(widget) == 0 { continue }
            body.append(isFirst ? ",\"values\":{\"" : ",\"")
            isFirst = false
            body.append(delivery.widgetName(widget))
            body.append("\":")
            let kind = delivery.widgets[widget].kind
            unsafe body.append { memory in
                unsafe fields.widgets.writeCarried(
                    widget,
                    kind: kind,
                    catalog: fields.catalog,
                    to: memory
                )
            }
        }
        if !isFirst { body.append("}") }
    }
}

extension ReloadCause {
    /// The name as bytes of the program itself: copying it touches no reference count.
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

/// Appends the parts of a frame's body to output memory that is known to be large enough.
@safe
struct FrameBody: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    private var count = FrameHeader.byteCount

    init(_ memory: UnsafeMutableRawPointer) {
        unsafe self.memory = unsafe memory
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        unsafe (memory + count).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        count += text.utf8CodeUnitCount
    }

    @inline(__always)
    mutating func append(_ bytes: ByteView) {
        unsafe bytes.copy(to: memory + count)
        count += bytes.count
    }

    /// Appends what `write` writes, which returns how many bytes that are.
    @unsafe
    mutating func append(_ write: (UnsafeMutableRawPointer) -> Int) {
        count += unsafe write(memory + count)
    }

    /// Writes the header in front of the body.
    ///
    /// - Returns: the bytes of the whole frame.
    mutating func finish(_ type: FrameType, seq: UInt64) -> Int {
        let header = FrameHeader(
            type: type,
            seq: seq,
            bodyCount: count - FrameHeader.byteCount
        )
        unsafe header.write(to: memory)
        return count
    }
}
