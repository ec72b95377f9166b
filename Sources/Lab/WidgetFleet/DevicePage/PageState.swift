internal import Basics

/// The devices that a page server shows, and its viewers.
///
/// A viewer that has not chosen a device sees the only device; if there are several, it sees their
/// names and previews of all widgets.
struct PageState<Viewer> {
    private var names: [String] = []
    private var screens: [String: DeviceScreen] = [:]
    private var viewers: [(device: String?, viewer: Viewer)] = []
    /// Whether a viewer has come that has not chosen, and there are several devices.
    private var wantsPreviews = false

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
            if isAmbiguous && viewers.contains(where: { $0.device == nil }) { wantsPreviews = true }
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
        if let screen = screen(of: device), !screen.content.isEmpty {
            messages.append(PageMessage(event: "screen", data: screen.json))
        }
        for message in messages where !send(viewer, message) { return }
        viewers.append((device, viewer))
        if device == nil && isAmbiguous { wantsPreviews = true }
    }

    /// Returns whether a device is new or has viewers. If it has none, its latest screen becomes
    /// outdated: the next viewer gets the screen that is shown after it has come.
    mutating func wants(_ device: String) -> Bool {
        guard screens[device] != nil else { return true }
        let isOnly = onlyDevice == device
        if viewers.contains(where: { $0.device == device || $0.device == nil && isOnly }) {
            return true
        }
        screens[device]?.content = ""
        return false
    }

    /// Returns whether a viewer waits for previews, and forgets it.
    mutating func takePreviewsRequest() -> Bool {
        defer { wantsPreviews = false }
        return wantsPreviews
    }

    /// Sends previews to all that have not chosen a device.
    mutating func send(previews: PageMessage, send: (Viewer, PageMessage) -> Bool) {
        broadcast(previews, to: [nil], send: send)
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
