internal import CaptureFormat
internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import StoreFormat
internal import WidgetMatching

/// What a recording begins with: see `RouterCapture`.
extension Router {
    /// Begins to keep what is accepted; the app file is the first record.
    ///
    /// - Parameter source: the app file that holds.
    package mutating func startCapture(appFile source: [UInt8]) {
        capture.isOn = true
        capture.record(apps: source)
    }

    /// Says when that came which the router is given from now on.
    ///
    /// - Parameter time: in µs since the recording began.
    @inline(__always)
    package mutating func setArrival(_ time: UInt64) {
        capture.arrival = time
    }

    /// What was kept has been handed on.
    package mutating func captureTaken() {
        capture.taken()
    }

    /// What was kept could not be handed on.
    ///
    /// - Returns: how many records are missing by that.
    package mutating func captureLost() -> UInt64 {
        capture.lose()
    }

    // MARK: - What is stored

    /// How far the stored devices have been told of.
    package struct StoredDevices {
        fileprivate var next: DeviceID = 0
        fileprivate var seq: UInt64 = 0
        /// The sessions that they are told on, an app's by its number.
        fileprivate var hasSession: [Bool] = []
        fileprivate var sessionsEnd: UInt32 { UInt32(hasSession.count) }

        package init() {}
    }

    /// Tells of stored devices as if a gateway of their app had said what they show: a portion.
    ///
    /// Widgets of kinds that are not declared are left out: no router would take them. What they are
    /// owed, and the dates that they wait for, are no part of it.
    ///
    /// - Parameters:
    ///   - devices: how far it has come.
    ///   - byteCount: about how long a portion is.
    /// - Returns: whether that was all.
    package mutating func captureStored(
        _ devices: inout StoredDevices,
        byteCount: Int
    ) -> Bool {
        if devices.hasSession.isEmpty {
            devices.hasSession = Array(repeating: false, count: state.catalog.apps.count)
        }
        var body = StoreWriter()
        while devices.next < state.delivery.devices.end {
            if capture.unwritten.byteCount >= byteCount { return false }
            let device = devices.next
            devices.next += 1
            if !state.delivery.isStored(device) { continue }
            let app = state.delivery.devices[device].app
            body.clear()
            if !state.catalog.apps[Int(app)].isDeclared || !writeWidgets(device, to: &body) {
                continue
            }
            // No connection is open yet that has the number.
            let number = RouterCapture.number(of: UInt32(app))
            if !devices.hasSession[Int(app)] {
                devices.hasSession[Int(app)] = true
                capture.put(number, .gateway, state.catalog.apps[Int(app)].declaration.app, .empty)
            }
            devices.seq += 1
            capture.put(number, .widgets, seq: devices.seq, body.bytes)
        }
        for (app, hasSession) in devices.hasSession.enumerated() where hasSession {
            capture.recordEnd(UInt32(app))
        }
        return true
    }

    /// Writes the body of the WIDGETS that tells what a device shows.
    ///
    /// - Returns: whether it shows anything of kinds that are declared.
    private func writeWidgets(_ device: DeviceID, to body: inout StoreWriter) -> Bool {
        let record = state.delivery.devices[device]
        body.put(ascii: "{\"device\":")
        body.put(quoted: state.delivery.deviceName(device))
        if record.pushToken != DeviceRecord.none {
            body.put(ascii: ",\"pushToken\":")
            body.put(
                quoted: state.delivery.names.view(record.pushToken, Int(record.pushTokenCount))
            )
        }
        body.put(ascii: ",\"widgets\":[")
        var isFirst = true
        var widget = record.firstWidget
        while widget != WidgetRecord.none {
            let kind = state.catalog.kinds[Int(state.delivery.widgets[widget].kind)]
            if kind.isDeclared {
                if !isFirst { body.put(ascii: ",") }
                isFirst = false
                body.put(ascii: "{\"id\":")
                body.put(quoted: state.delivery.widgetName(widget))
                body.put(ascii: ",\"kind\":")
                body.put(quoted: state.delivery.names.view(kind.name, kind.nameCount))
                body.put(ascii: ",\"configuration\":")
                state.matcher.index.writeConfiguration(of: widget, to: &body)
                body.put(ascii: "}")
            }
            widget = state.delivery.widgets[widget].nextOfDevice
        }
        body.put(ascii: "]}")
        return !isFirst
    }
}
