internal import Basics

/// The devices that a page server shows, and its viewers.
///
/// A viewer that has not chosen a device sees the only device; if there are several, it sees their
/// names.
struct PageState<Viewer> {
    private var names: [String] = []
    private var screens: [String: DeviceScreen] = [:]
    private var viewers: [(device: String?, viewer: Viewer)] = []

    /// The device for requests that name none; nil unless there is exactly one.
    private var onlyDevice: String? { names.count == 1 ? names[0] : nil }

    /// The latest screen of a device, or of the only one if it is nil.
    func screen(of device: String?) -> DeviceScreen? {
        (device ?? onlyDevice).flatMap { screens[$0] }
    }

    /// True if a request must name a device.
    var isAmbiguous: Bool { names.count > 1 }

    /// Stores the latest screen of a device, and sends it if it differs from the one before.
    ///
    /// Here and below, `send` sends a message to one viewer and returns false if the viewer is
    /// gone.
    ///
    /// - Returns: false if the device is new and `limit` devices are shown already.
    mutating func show(
        _ screen: DeviceScreen,
        limit: Int,
        send: (Viewer, PageMessage) -> Bool
    ) -> Bool {
        let known = screens[screen.device]
        if known == nil && names.count >= limit { return false }
        screens[screen.device] = screen
        if known == nil {
            names.append(screen.device)
            broadcast(devices, to: [nil], send: send)
        }
        assert(names.count == screens.count, "a device is listed twice, or not at all")
        // The clock alone is no change: the page advances it by itself.
        if screen.content == known?.content { return true }
        // Viewers have chosen the device, or nothing if it is the only one.
        let isOnly = onlyDevice == screen.device
        let targets = isOnly ? [screen.device, nil] : [screen.device]
        broadcast(PageMessage(event: "screen", data: screen.json), to: targets, send: send)
        return true
    }

    /// Adds a viewer, after sending it the current state.
    mutating func add(_ viewer: Viewer, device: String?, send: (Viewer, PageMessage) -> Bool) {
        var messages = [devices]
        if let screen = screen(of: device) {
            messages.append(PageMessage(event: "screen", data: screen.json))
        }
        for message in messages where !send(viewer, message) { return }
        viewers.append((device, viewer))
    }

    /// Removes and returns all viewers.
    mutating func removeViewers() -> [Viewer] {
        defer { viewers = [] }
        return viewers.map(\.viewer)
    }

    private mutating func broadcast(
        _ message: PageMessage,
        to targets: [String?],
        send: (Viewer, PageMessage) -> Bool
    ) {
        viewers.removeAll { device, viewer in
            targets.contains(device) && !send(viewer, message)
        }
    }

    private var devices: PageMessage {
        var json = JSONWriter()
        json.list(of: names) { name, json in json.string(name) }
        return PageMessage(event: "devices", data: String(decoding: json.bytes, as: UTF8.self))
    }
}

/// An event for a viewer of a page.
struct PageMessage {
    let event: String
    let data: String
}
