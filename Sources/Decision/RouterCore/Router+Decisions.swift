internal import ByteStorage
internal import FrameCodec
package import ReloadModel
package import ReloadScheduling

/// Why: every decision leaves a record of its reason with the device, and is counted.
extension Router {
    /// Records a decision on the reload that a widget has in hand.
    ///
    /// - Parameters:
    ///   - widget: whose.
    ///   - reason: why.
    ///   - until: when it goes on, in ms of the monotonic clock.
    mutating func note(_ widget: WidgetID, _ reason: DecisionReason, until: Int64? = nil) {
        note(widget, reason, delivery.widgets[widget].cause, until: until)
    }

    mutating func note(
        _ widget: WidgetID,
        _ reason: DecisionReason,
        _ cause: ReloadCause,
        until: Int64? = nil
    ) {
        counters.decisions[reason] &+= 1
        let decision = Decision(
            at: now.wall,
            until: until.map { wallTime(ofMonotonic: $0) },
            widget: widget,
            reason: reason,
            cause: cause
        )
        decisions.append(delivery.widgets[widget].device, decision)
        if isTracing { trace(decision) }
    }

    /// Keeps a decision with the names that belong to it now.
    private mutating func trace(_ decision: Decision) {
        let record = delivery.widgets[decision.widget]
        let kind = kinds[Int(record.kind)]
        tracedDecisions.append(
            TracedDecision(
                app: apps[Int(kind.app)].declaration.app,
                device: delivery.deviceName(record.device).string,
                widget: delivery.widgetName(decision.widget).string,
                kind: delivery.names.view(kind.name, kind.nameCount).string,
                decision: decision
            )
        )
    }

    /// Empties the decisions that `isTracing` has kept; the memory is used again.
    package mutating func forgetTrace() {
        tracedDecisions.removeAll(keepingCapacity: true)
    }

    func wallTime(ofMonotonic time: Int64) -> Int64 {
        let (sum, overflow) = now.wall.addingReportingOverflow(time &- now.monotonic)
        return overflow ? .max : sum
    }

    /// The last decisions about a device's widgets, oldest first; nil if none are stored for it.
    ///
    /// - Complexity: in proportion to the device's decisions and widgets.
    package func decisions(ofDevice device: String, app: String) -> [DecisionAnswer]? {
        guard let app = appsByName[Array(app.utf8)] else { return nil }
        let found = device.withByteView { delivery.findDevice(app, $0) }
        guard let found else { return nil }
        var answers: [DecisionAnswer] = []
        decisions.forEach(found) { decision in
            let isStored = hasWidget(found, decision.widget)
            answers.append(
                DecisionAnswer(
                    widget: isStored ? delivery.widgetName(decision.widget).string : nil,
                    decision: decision
                )
            )
        }
        return answers
    }

    private func hasWidget(_ device: DeviceID, _ widget: WidgetID) -> Bool {
        var next = delivery.devices[device].firstWidget
        while next != WidgetRecord.none {
            if next == widget { return true }
            next = delivery.widgets[next].nextOfDevice
        }
        return false
    }
}

/// One decision as it is told.
package struct DecisionAnswer: Equatable, Sendable {
    /// The widget's id; nil if it is gone.
    package var widget: String?
    package var decision: Decision
}

/// One decision with all names, for whoever follows a router's decisions one by one.
package struct TracedDecision: Equatable, Sendable {
    package var app: String
    package var device: String
    /// The widget's id.
    package var widget: String
    package var kind: String
    package var decision: Decision
}

/// How often each reason was decided on.
package struct DecisionCounts: Equatable, Sendable {
    private var counts = SIMD16<UInt64>()

    package init() {
        precondition(DecisionReason.allCases.count <= 16)
    }

    package var total: UInt64 { counts.wrappedSum() }

    package subscript(reason: DecisionReason) -> UInt64 {
        get { counts[Int(reason.rawValue)] }
        set { counts[Int(reason.rawValue)] = newValue }
    }
}
