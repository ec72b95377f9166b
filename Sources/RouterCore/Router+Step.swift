internal import ByteStorage
internal import FrameCodec
package import ReloadModel

extension Router {
    /// Decides what this loop turn's input leads to: RELOADs, then acknowledgements.
    ///
    /// At most `RouterLimits.reloadsPerStep` RELOADs, for what at most `matchesPerStep` widgets more
    /// have led to; while `needsStep`, a further step goes on with the rest.
    package mutating func step(now: Instant) {
        self.now = now
        matchQueued()
        expireDeadlines()
        var budget = RouterLimits.reloadsPerStep
        while budget > 0, let device = delivery.readyUrgent.popFirst() {
            budget -= deliver(device)
        }
        while budget > 0, let device = delivery.ready.popFirst() {
            budget -= deliver(device)
        }
        for connection in acknowledging { acknowledge(connection) }
        acknowledging.removeAll(keepingCapacity: true)
        turnMatches = 0
    }

    /// Makes the widgets pending whose timelines asked for a reload by now.
    private mutating func expireDeadlines() {
        while let entry = deadlines.first, entry.at <= now.wall {
            _ = deadlines.removeFirst()
            let widget = entry.widget
            guard delivery.widgets[widget].dueAt == entry.at else { continue }
            delivery.widgets[widget].dueAt = .max
            let isEnd = delivery.widgets[widget].has(WidgetRecord.dueAtEnd)
            delivery.markPending(widget, isEnd ? .atEnd : .after)
        }
    }

    /// Turns a device's pending widgets into RELOADs, if its connection takes output.
    ///
    /// - Returns: how many RELOADs that were.
    private mutating func deliver(_ device: DeviceID) -> Int {
        let record = delivery.devices[device]
        guard record.has(DeviceRecord.queued), record.firstPending != WidgetRecord.none,
            delivery.isAttached(record)
        else {
            delivery.devices[device].flags &= ~DeviceRecord.queued
            return 0
        }
        if !delivery.connections[record.connection].isWritable {
            delivery.wait(device)
            return 0
        }
        let isVoid = record.voidAt <= now.wall
        let first = reloadWidgets.count
        takePending(device, isSent: !isVoid)
        delivery.devices[device].flags &= ~(DeviceRecord.queued | DeviceRecord.urgent)
        delivery.devices[device].voidAt = .min
        if isVoid {
            reloadWidgets.removeSubrange(first...)
            counters.reloadsVoid += 1
            return 0
        }
        return order(device, record, from: first)
    }

    /// Moves a device's pending chain to the end of `reloadWidgets`, in the order it came.
    private mutating func takePending(_ device: DeviceID, isSent: Bool) {
        let first = reloadWidgets.count
        var widget = delivery.devices[device].firstPending
        while widget != WidgetRecord.none {
            reloadWidgets.append(widget)
            delivery.widgets[widget].flags &= ~WidgetRecord.pending
            if isSent { delivery.widgets[widget].flags |= WidgetRecord.unanswered }
            widget = delivery.widgets[widget].nextPending
        }
        delivery.devices[device].firstPending = WidgetRecord.none
        // In place: reversing a slice of the array would copy it.
        var left = first
        var right = reloadWidgets.count - 1
        while left < right {
            reloadWidgets.swapAt(left, right)
            left += 1
            right -= 1
        }
    }

    private mutating func order(
        _ device: DeviceID,
        _ record: DeviceRecord,
        from first: Int
    ) -> Int {
        var start = first
        var orders = 0
        while start < reloadWidgets.count {
            let count = min(reloadWidgets.count - start, RouterLimits.widgetsPerReload)
            reloadSeq += 1
            for index in start..<start + count {
                delivery.widgets[reloadWidgets[index]].lastReload = reloadSeq
            }
            delivery.connections[record.connection].lastReload = reloadSeq
            actions.append(
                .reload(
                    ReloadOrder(
                        connection: record.connection,
                        device: device,
                        seq: reloadSeq,
                        firstWidget: start,
                        widgetCount: count,
                        cause: record.cause
                    )
                )
            )
            start += count
            orders += 1
        }
        counters.reloadsSent += UInt64(orders)
        return orders
    }

    // MARK: - The RELOAD frame

    /// An upper bound of the bytes that `write` will write.
    package func frameBound(_ order: ReloadOrder) -> Int {
        // Each name with its quotation marks and comma; every widget may bring a kind of its own.
        let names = RouterLimits.identifierBytes + 3
        return FrameHeader.byteCount + 64 + names * (1 + 2 * order.widgetCount)
    }

    /// Writes the RELOAD that a step of this turn has ordered.
    ///
    ///     {"device":"d-1","kinds":["k"],"widgets":["w1","w2"],"cause":"push"}
    ///
    /// - Returns: the bytes written.
    @unsafe
    package mutating func write(_ order: ReloadOrder, to memory: UnsafeMutableRawPointer) -> Int {
        var out = unsafe FrameBody(memory)
        out.append("{\"device\":\"")
        out.append(delivery.deviceName(order.device))
        out.append("\",\"kinds\":[\"")
        let widgets = order.firstWidget..<order.firstWidget + order.widgetCount
        var isFirst = true
        for index in widgets {
            let kind = Int(delivery.widgets[reloadWidgets[index]].kind)
            if kinds[kind].namedIn == order.seq { continue }
            kinds[kind].namedIn = order.seq
            if !isFirst { out.append("\",\"") }
            isFirst = false
            out.append(delivery.names.view(kinds[kind].name, kinds[kind].nameCount))
        }
        out.append("\"],\"widgets\":[\"")
        for index in widgets {
            if index != order.firstWidget { out.append("\",\"") }
            out.append(delivery.widgetName(reloadWidgets[index]))
        }
        out.append("\"],\"cause\":\"")
        out.append(order.cause.staticName)
        out.append("\"}")
        return out.finish(.reload, seq: order.seq)
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
