internal import ByteStorage
internal import FrameCodec
internal import PayloadFields
internal import ReloadModel

extension Router {
    // MARK: - The RELOAD frame

    /// Brings what the RELOADs behind this action are made of close: a step orders more of them than
    /// what it has touched for the first ones stays close.
    @inline(__always)
    package func prefetchReloads(behind index: Int) {
        if let order = reload(at: index + 2 * ReloadState.prefetchDistance) {
            state.delivery.devices.prefetch(order.device)
            state.delivery.widgets.prefetch(outbox.reloadWidgets[order.firstWidget])
        }
        if let order = reload(at: index + ReloadState.prefetchDistance) {
            state.delivery.names.prefetch(state.delivery.devices[order.device].name)
            state.delivery.names.prefetch(
                state.delivery.widgets[outbox.reloadWidgets[order.firstWidget]].name
            )
        }
    }

    private func reload(at index: Int) -> ReloadOrder? {
        if index >= outbox.actions.count { return nil }
        if case .reload(let order) = outbox.actions[index] { return order }
        return nil
    }

    /// An upper bound of the bytes that `write` will write.
    package func frameBound(_ order: ReloadOrder) -> Int {
        var bound = ReloadOrder.bound(widgets: order.widgetCount)
        for index in order.firstWidget..<order.firstWidget + order.widgetCount {
            bound += state.carriedByteCount(outbox.reloadWidgets[index])
        }
        return bound
    }

    /// Writes the RELOAD that a step of this turn has ordered.
    ///
    ///     {"device":"d-1","kinds":["k"],"widgets":["w1","w2"],"cause":"push","values":{…}}
    ///
    /// - Returns: the bytes written.
    @unsafe
    package mutating func write(_ order: ReloadOrder, to memory: UnsafeMutableRawPointer) -> Int {
        var out = unsafe FrameBody(memory)
        out.append("{\"device\":\"")
        out.append(state.delivery.deviceName(order.device))
        out.append("\",\"kinds\":[\"")
        let widgets = order.firstWidget..<order.firstWidget + order.widgetCount
        var isFirst = true
        for index in widgets {
            let kind = Int(state.delivery.widgets[outbox.reloadWidgets[index]].kind)
            if state.catalog.kinds[kind].namedIn == order.seq { continue }
            state.catalog.kinds[kind].namedIn = order.seq
            if !isFirst { out.append("\",\"") }
            isFirst = false
            out.append(
                state.delivery.names.view(
                    state.catalog.kinds[kind].name,
                    state.catalog.kinds[kind].nameCount
                )
            )
        }
        out.append("\"],\"widgets\":[\"")
        for index in widgets {
            if index != order.firstWidget { out.append("\",\"") }
            out.append(state.delivery.widgetName(outbox.reloadWidgets[index]))
        }
        out.append("\"],\"cause\":\"")
        out.append(order.cause.staticName)
        out.append("\"")
        writeValues(widgets, to: &out)
        out.append("}")
        return out.finish(.reload, seq: order.seq)
    }

    /// Writes `,"values":{"w1":{"hp":30}}` if RELOAD brings any.
    private func writeValues(_ widgets: Range<Int>, to out: inout FrameBody) {
        var isFirst = true
        for index in widgets {
            let widget = outbox.reloadWidgets[index]
            if state.carriedByteCount(widget) == 0 { continue }
            out.append(isFirst ? ",\"values\":{\"" : ",\"")
            isFirst = false
            out.append(state.delivery.widgetName(widget))
            out.append("\":")
            let kind = state.delivery.widgets[widget].kind
            unsafe out.append { memory in
                unsafe state.fields.widgets.writeCarried(
                    widget,
                    kind: kind,
                    catalog: state.fields.catalog,
                    to: memory
                )
            }
        }
        if !isFirst { out.append("}") }
    }
}

extension ReloadOrder {
    /// An upper bound of a RELOAD's bytes, without the values that it brings.
    @inline(__always)
    static func bound(widgets count: Int) -> Int {
        // Each name with its quotation marks and comma; every widget may bring a kind of its own, and
        // a name of its values.
        FrameHeader.byteCount + 96 + (RouterLimits.identifierBytes + 4) * (1 + 3 * count)
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
