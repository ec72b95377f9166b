package import Basics
internal import CaptureFormat
internal import FrameCodec
internal import StoreFormat
internal import WidgetMatching

/// Capturing what the router accepts: see `RouterCapture`.
extension Router {
    /// Begins to record what is accepted; the present app file is the first record.
    package mutating func startCapture(appFile source: [UInt8]) {
        capture.isOn = true
        capture.record(apps: source)
    }

    /// Sets the arrival time of what the router is given from now on.
    @inline(__always)
    package mutating func setArrival(_ time: RecordedTime) { capture.arrival = time }

    /// Discards the records that were kept, after the driver has fetched them.
    package mutating func captureTaken() { capture.taken() }

    /// Discards the records that were kept, because the driver could not store them, and returns
    /// the number of inputs that the capture lost by this.
    package mutating func captureLost() -> UInt64 { capture.lose() }

    // MARK: - What is stored

    /// How far `captureStored` has come.
    package struct StoredDeviceProgress {
        /// The next stored device to capture.
        fileprivate var next = DeviceID.first
        fileprivate var seq: UInt64 = 0
        /// By app number, whether the capture has a session for the app's stored devices.
        fileprivate var hasSession = NumberedArray<AppID, Bool>()

        /// Begins before the first stored device.
        package init() {}
    }

    /// Captures a portion of the stored devices, as if a gateway of their app had sent their
    /// WIDGETS.
    ///
    /// Widgets of kinds that are not declared are left out, because no router would accept them.
    /// Pending reloads and dates are not captured.
    ///
    /// - Parameters:
    ///   - devices: the progress.
    ///   - byteCount: the number of captured bytes from which on no further device is added.
    /// - Returns: whether all devices have been captured.
    package mutating func captureStored(
        _ devices: inout StoredDeviceProgress,
        byteCount: Int
    ) -> Bool {
        if devices.hasSession.isEmpty {
            devices.hasSession = NumberedArray(
                repeating: false,
                count: state.reloads.catalog.apps.count
            )
        }
        var body = StoreWriter()
        while state.reloads.delivery.devices.has(devices.next) {
            if capture.records.byteCount >= byteCount { return false }
            let device = devices.next
            devices.next = device.successor
            if !state.reloads.delivery.isStored(device) { continue }
            let app = state.reloads.delivery.devices[device].app
            body.clear()
            if !state.reloads.catalog.apps[app].isDeclared || !writeWidgets(device, to: &body) {
                continue
            }
            // No open connection has this number, because none is open yet.
            let number = RouterCapture.number(of: ConnectionSlot(index: app.index))
            if !devices.hasSession[app] {
                devices.hasSession[app] = true
                capture.put(
                    on: number,
                    role: .gateway,
                    app: state.reloads.catalog.apps[app].declaration.app,
                    name: .empty
                )
            }
            devices.seq += 1
            capture.put(on: number, kind: .widgets, seq: devices.seq, body: body.bytes)
        }
        for app in devices.hasSession.ids where devices.hasSession[app] {
            capture.recordEnd(ConnectionSlot(index: app.index))
        }
        return true
    }

    /// Writes the body of a WIDGETS that lists a device's widgets, and returns whether any of them
    /// is of a kind that is declared.
    private func writeWidgets(_ device: DeviceID, to body: inout StoreWriter) -> Bool {
        let record = state.reloads.delivery.devices[device]
        body.put(ascii: "{\"device\":")
        body.put(quoted: state.reloads.delivery.deviceName(device))
        if state.reloads.apns.hasToken(device, in: state.reloads.delivery) {
            if record.widgetsToken.isPresent {
                body.put(ascii: ",\"pushToken\":")
                body.put(quoted: state.reloads.apns.text(of: record.widgetsToken))
            }
            put(state.reloads.apns.appToken(device), name: "\"appPushToken\"", to: &body)
            if state.reloads.apns.reportsSandbox(device, in: state.reloads.delivery) {
                body.put(ascii: ",\"environment\":\"sandbox\"")
            }
        }
        body.put(ascii: ",\"widgets\":[")
        var isFirst = true
        var widget = record.firstWidget
        while !widget.isNone {
            let kind = state.reloads.catalog.kinds[state.reloads.delivery.widgets[widget].kind]
            if kind.isDeclared {
                if !isFirst { body.put(ascii: ",") }
                isFirst = false
                body.put(ascii: "{\"id\":")
                body.put(quoted: state.reloads.delivery.widgetName(widget))
                body.put(ascii: ",\"kind\":")
                body.put(
                    quoted: unsafe state.reloads.delivery.names.view(
                        kind.name,
                        count: kind.nameCount
                    )
                )
                body.put(ascii: ",\"configuration\":")
                state.matcher.index.writeConfiguration(of: widget, to: &body)
                if kind.rules.isControl {
                    put(state.reloads.apns.controlToken(widget), name: "\"pushToken\"", to: &body)
                }
                body.put(ascii: "}")
            }
            widget = state.reloads.delivery.widgets[widget].nextOfDevice
        }
        body.put(ascii: "]}")
        return !isFirst
    }

    /// Writes a token as a member, if there is one.
    private func put(_ token: StoredToken, name: StaticString, to body: inout StoreWriter) {
        if !token.isPresent { return }
        body.put(ascii: ",")
        body.put(ascii: name)
        body.put(ascii: ":")
        body.put(quoted: state.reloads.apns.text(of: token))
    }
}
