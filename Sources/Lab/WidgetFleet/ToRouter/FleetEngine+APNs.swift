internal import Basics
internal import Foundation
internal import LoadReporting
internal import RouterSimulation

/// A run without sessions: the router reaches the devices by APNs, as it reaches iPhones.
///
///     APNs accepts a push ─► inbox ──delay, network──► all of the device's widgets reload
///                                                        └─► TIMELINE, over HTTP
extension FleetEngine {
    /// What a device's token is made from, before its name.
    private static var tokenPrefix: String { "token of " }

    /// A device's push token; nil if no widget has a push handler, and the devices have sessions.
    func token(_ name: String) -> Data? {
        hasPushHandlers || inbox != nil ? Data("\(Self.tokenPrefix)\(name)".utf8) : nil
    }

    /// The device with a token, whose bytes are written as hexadecimal digits; nil if none has it.
    private func device(withToken token: String) -> Int? {
        var bytes: [UInt8] = []
        var rest = Substring(token)
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        if !rest.isEmpty || !text.hasPrefix(Self.tokenPrefix) { return nil }
        return population.number(ofDevice: String(text.dropFirst(Self.tokenPrefix.count)))
    }

    /// APNs has accepted a push; does nothing if no device has its token.
    func accepted(token: String, expiry: WallTime) {
        guard let device = device(withToken: token), inbox != nil else { return }
        let time = ports.exactTime
        for widget in devices[device].widgets.indices {
            recorder.accepted(widget: number(widget, of: device), at: time)
        }
        guard let delay = inbox?.accept(device, expiry: expiry) else { return }
        if isOnline(device) { setDeliveryTimer(device, at: now + delay) }
    }

    /// A device has its network again: what APNs has kept for it comes.
    func resumeDelivery(to device: Int) {
        guard inbox?.hasPush(for: device) == true, let delay = inbox?.delay() else { return }
        setDeliveryTimer(device, at: now + delay)
    }

    /// A push comes to its device, unless that has no network now.
    func deliver(to device: Int) {
        let now = now
        guard isOnline(device), inbox?.deliver(to: device, at: now) == true else { return }
        let widgets = devices[device].widgets.indices
        recorder.pushArrived(widgets: widgets.count)
        let time = ports.exactTime
        for widget in widgets {
            recorder.reported(widget: number(widget, of: device), cause: .push, at: time)
        }
        act(device) { $0.pushed(at: now, into: &$1) }
    }

    /// True if no push is on its way to a device that has a network.
    var isDelivered: Bool { inbox?.hasPush(forAny: { isOnline($0) }) != true }

    /// The owners of some devices remove the app, which then does nothing more; returns the tokens
    /// that are dead from now on, as hexadecimal digits.
    func removeApps() -> [String] {
        let gone = inbox?.removeApps() ?? []
        return gone.compactMap { token(devices[$0].name).map(WidgetsBody.digits) }
    }

    /// Records that the router has something to push to the devices of widgets that a publisher's
    /// push matches.
    func expectPush(for widget: Int) {
        guard inbox != nil else { return }
        inbox?.matched(device(ofWidget: widget), push: recorder.pushes.sent)
    }

    /// The device of a widget, by the widget's number among those of all devices.
    private func device(ofWidget widget: Int) -> Int {
        var (low, high) = (0, devices.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(population.firstWidgets[middle]) <= widget {
                low = middle
            } else {
                high = middle
            }
        }
        return low
    }
}
