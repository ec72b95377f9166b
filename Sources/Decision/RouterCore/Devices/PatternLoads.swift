internal import Basics
internal import WidgetMatching

/// The devices whose patterns, wildcards and regular expressions, are counted again because rules
/// have changed. What they do to a push is a function of what is stored, so that a push matches the
/// same widgets after a restart.
struct PatternLoads {
    /// The next device; nil if none is left. It is not stored.
    private var next: DeviceID?

    /// Whether devices are left.
    var arePending: Bool { next != nil }

    /// Updates what the matcher knows of all devices after rules have changed: of a few at once, of
    /// many some at a time (`resume`).
    mutating func rulesChanged(
        in delivery: borrowing DeliveryTable,
        matcher: inout WidgetMatcher
    ) {
        if !matcher.index.haveKindsPatterns { return }
        if delivery.devices.ids.count <= RouterLimits.patternLoadsPerStep {
            return matcher.updatePatternLoads(in: delivery)
        }
        next = DeviceID(rawValue: 0)
    }

    /// Updates what the matcher knows of further devices.
    mutating func resume(
        in delivery: borrowing DeliveryTable,
        matcher: inout WidgetMatcher,
        into out: inout Outbox
    ) {
        for _ in 0..<RouterLimits.patternLoadsPerStep {
            guard let device = next, delivery.devices.has(device) else {
                next = nil
                return
            }
            next = DeviceID(rawValue: device.rawValue + 1)
            if !delivery.isStored(device) { continue }
            out.work.charge(Int(delivery.devices[device].widgetCount) * WorkCost.record)
            matcher.updatePatternLoad(of: device, in: delivery)
        }
    }
}

/// What the configurations of devices' widgets may cost.
extension WidgetMatcher {
    /// A configuration without parameters, in memory that lives as long as the process.
    static var noParameters: ByteView {
        let text: StaticString = "{}"
        return unsafe ByteView(base: text.utf8Start, count: 2)
    }

    /// Updates what it knows of a device's patterns, after its widgets have changed.
    mutating func updatePatternLoad(of device: DeviceID, in delivery: borrowing DeliveryTable) {
        if !index.haveKindsPatterns { return }
        var load = 0
        let first = delivery.devices[device].firstWidget
        var widget = first
        while !widget.isNone {
            load += index.patternCount(of: widget)
            widget = delivery.widgets[widget].nextOfDevice
        }
        widget = first
        while !widget.isNone {
            setPatternLoad(of: widget, to: load)
            widget = delivery.widgets[widget].nextOfDevice
        }
    }

    /// Updates what it knows of all devices, after all was restored.
    mutating func updatePatternLoads(in delivery: borrowing DeliveryTable) {
        if !index.haveKindsPatterns { return }
        for device in delivery.devices.ids where delivery.isStored(device) {
            updatePatternLoad(of: device, in: delivery)
        }
    }

    /// Checks a widget's configuration, and adds what it needs to that of the list so far.
    mutating func addConfiguration(
        _ configuration: ByteView,
        of kind: KindID,
        at location: String,
        admission: Admission,
        to need: inout RegistrationNeed,
        into out: inout Outbox
    ) throws(ProtocolError) {
        do throws(ConfigurationError) {
            let cost = try cost(ofKind: kind, configuration: configuration)
            out.work.charge(cost.valueCount &* WorkCost.storedValue)
            out.work.charge(cost.patternSize &* WorkCost.combination)
            need.add(cost)
        } catch {
            throw ProtocolError(
                .configurationInvalid,
                message: "\(location).configuration: \(error.message)"
            )
        }
        // A list that was accepted before there was the limit stays valid when a log is followed.
        guard admission == .new, let problem = need.problem else { return }
        throw ProtocolError(
            .configurationInvalid,
            message: "\(location).configuration: with it, the device's widgets have \(problem)"
        )
    }
}
