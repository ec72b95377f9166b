internal import Basics
internal import WidgetMatching

/// What the configurations of devices' widgets may cost. What their patterns, wildcards and regular
/// expressions, do to a push is a function of what is stored, so that a push matches the same
/// widgets after a restart.
extension ReloadState {
    /// A configuration without parameters, in memory that lives as long as the process.
    static var noParameters: ByteView {
        let text: StaticString = "{}"
        return unsafe ByteView(base: text.utf8Start, count: 2)
    }

    /// Updates what the matcher knows of a device's patterns, after its widgets have changed.
    mutating func updatePatternLoad(of device: DeviceID) {
        if !matcher.index.haveKindsPatterns { return }
        var load = 0
        visitWidgets(of: device) { state, widget in
            load += state.matcher.index.patternCount(of: widget)
        }
        visitWidgets(of: device) { state, widget in
            state.matcher.setPatternLoad(of: widget, to: load)
        }
    }

    /// Updates what it knows of all devices, after all was restored.
    mutating func updatePatternLoads() {
        if !matcher.index.haveKindsPatterns { return }
        for device in reloads.delivery.devices.ids where reloads.delivery.isStored(device) {
            updatePatternLoad(of: device)
        }
    }

    /// Updates what it knows of all devices after rules have changed: of a few at once, of many
    /// some at a time (`continuePatternLoads`).
    mutating func patternLoadsChanged() {
        if !matcher.index.haveKindsPatterns { return }
        if reloads.delivery.devices.ids.count <= RouterLimits.patternLoadsPerStep {
            return updatePatternLoads()
        }
        nextPatternLoad = DeviceID(rawValue: 0)
    }

    /// Updates what it knows of further devices.
    mutating func continuePatternLoads(_ out: inout Outbox) {
        for _ in 0..<RouterLimits.patternLoadsPerStep {
            guard let device = nextPatternLoad, reloads.delivery.devices.has(device) else {
                nextPatternLoad = nil
                return
            }
            nextPatternLoad = DeviceID(rawValue: device.rawValue + 1)
            if !reloads.delivery.isStored(device) { continue }
            out.work.charge(Int(reloads.delivery.devices[device].widgetCount) * WorkCost.record)
            updatePatternLoad(of: device)
        }
    }

    private mutating func visitWidgets(
        of device: DeviceID,
        body: (inout ReloadState, WidgetID) -> Void
    ) {
        var widget = reloads.delivery.devices[device].firstWidget
        while !widget.isNone {
            body(&self, widget)
            widget = reloads.delivery.widgets[widget].nextOfDevice
        }
    }
}

extension WidgetMatcher {
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
