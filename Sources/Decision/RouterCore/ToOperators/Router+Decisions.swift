package import Basics
package import ReloadScheduling

/// Decisions and their reasons, as operators and tests see them.
extension Router {
    /// Empties `tracedDecisions`; their memory is reused.
    package mutating func forgetTrace() {
        outbox.observer.tracedDecisions.removeAll(keepingCapacity: true)
    }

    /// The last decisions about a device's widgets, oldest first; nil if the device is not stored.
    ///
    /// - Complexity: proportional to the device's decisions and widgets.
    package func decisions(ofDevice device: String, app: String) -> [DecisionAnswer]? {
        guard let app = state.reloads.catalog.appsByName[Array(app.utf8)] else { return nil }
        let found = device.withByteView { state.reloads.delivery.findDevice(of: app, named: $0) }
        guard let found else { return nil }
        var answers: [DecisionAnswer] = []
        outbox.observer.decisions.forEach(found) { decision in
            let isStored = hasWidget(found, widget: decision.widget)
            answers.append(
                DecisionAnswer(
                    widget: isStored
                        ? state.reloads.delivery.widgetName(decision.widget).string : nil,
                    decision: decision
                )
            )
        }
        return answers
    }

    private func hasWidget(_ device: DeviceID, widget: WidgetID) -> Bool {
        var next = state.reloads.delivery.devices[device].firstWidget
        while !next.isNone {
            if next == widget { return true }
            next = state.reloads.delivery.widgets[next].nextOfDevice
        }
        return false
    }
}

/// A decision about a widget of a device that is known.
package struct DecisionAnswer: Equatable, Sendable {
    /// The widget's name; nil if the device no longer has it.
    package var widget: String?
    /// What was decided, when and why.
    package var decision: Decision
}

/// A decision with all names, for programs that follow a router's decisions one by one.
package struct TracedDecision: Equatable, Sendable {
    /// The app's name.
    package var app: String
    /// The device's name.
    package var device: String
    /// The widget's name.
    package var widget: String
    /// The name of the widget's kind.
    package var kind: String
    /// What was decided, when and why.
    package var decision: Decision
}

extension DecisionReason {
    /// Whether the reload is on its way to the device.
    var isSent: Bool { self == .sent || self == .apns }

    /// Whether the reload has to wait, whatever for.
    var isWait: Bool {
        switch self {
        case .debounced, .spacing, .budget, .spread, .offline, .loop, .grace, .cap, .retry: true
        default: false
        }
    }
}

/// The number of decisions with each reason.
package struct DecisionCounts: Equatable, Sendable {
    // Not a vector: to change one element of it, all are copied.
    private var counts = InlineArray<24, UInt64>(repeating: 0)

    /// Makes counts that are all 0.
    package init() { precondition(DecisionReason.allCases.count <= counts.count) }

    /// The number of decisions with any reason.
    package var total: UInt64 { counts.indices.reduce(0) { $0 &+ counts[$1] } }

    /// Whether all counts are the same.
    package static func == (left: Self, right: Self) -> Bool {
        left.counts.indices.allSatisfy { left.counts[$0] == right.counts[$0] }
    }

    /// The number of decisions that a reload has to wait, whatever for.
    package var putOff: UInt64 {
        DecisionReason.allCases.reduce(0) { $1.isWait ? $0 + self[$1] : $0 }
    }

    /// The number of decisions with a reason.
    package subscript(reason: DecisionReason) -> UInt64 {
        @inline(__always) get { counts[Int(reason.rawValue)] }
        @inline(__always) _modify { yield &counts[Int(reason.rawValue)] }
    }
}
