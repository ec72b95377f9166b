internal import DataStructures
package import ReloadModel
package import ReloadScheduling

/// Why: every decision leaves a record of its reason with the device, and is counted.
extension Router {
    /// Empties the decisions that `isTracing` has kept; the memory is used again.
    package mutating func forgetTrace() {
        outbox.observer.tracedDecisions.removeAll(keepingCapacity: true)
    }

    /// The last decisions about a device's widgets, oldest first; nil if none are stored for it.
    ///
    /// - Complexity: in proportion to the device's decisions and widgets.
    package func decisions(ofDevice device: String, app: String) -> [DecisionAnswer]? {
        guard let app = state.catalog.appsByName[Array(app.utf8)] else { return nil }
        let found = device.withByteView { state.delivery.findDevice(app, $0) }
        guard let found else { return nil }
        var answers: [DecisionAnswer] = []
        outbox.observer.decisions.forEach(found) { decision in
            let isStored = hasWidget(found, decision.widget)
            answers.append(
                DecisionAnswer(
                    widget: isStored ? state.delivery.widgetName(decision.widget).string : nil,
                    decision: decision
                )
            )
        }
        return answers
    }

    private func hasWidget(_ device: DeviceID, _ widget: WidgetID) -> Bool {
        var next = state.delivery.devices[device].firstWidget
        while next != WidgetRecord.none {
            if next == widget { return true }
            next = state.delivery.widgets[next].nextOfDevice
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
