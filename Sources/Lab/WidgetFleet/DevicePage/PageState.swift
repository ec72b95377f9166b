internal import Foundation

/// The devices that a page server shows, and its viewers.
///
/// A viewer that has not chosen a device sees the only device; if there are several, it sees their
/// names.
struct PageState<Viewer> {
    private var names: [String] = []
    private var screens: [String: (snapshot: HomeScreenSnapshot, json: String)] = [:]
    private var viewers: [(device: String?, viewer: Viewer)] = []

    /// The device for requests that name none; nil unless there is exactly one.
    private var onlyDevice: String? { names.count == 1 ? names[0] : nil }

    /// The latest snapshot of a device, or of the only one if it is nil.
    func snapshot(of device: String?) -> (snapshot: HomeScreenSnapshot, json: String)? {
        (device ?? onlyDevice).flatMap { screens[$0] }
    }

    /// True if a request must name a device.
    var isAmbiguous: Bool { names.count > 1 }

    /// Stores the latest snapshot of a device, and sends it if it differs from the one before.
    ///
    /// Here and below, `send` sends a message to one viewer and returns false if the viewer is
    /// gone.
    ///
    /// - Returns: false if the device is new and `limit` devices are shown already.
    mutating func show(
        _ snapshot: HomeScreenSnapshot,
        limit: Int,
        send: (Viewer, PageMessage) -> Bool
    ) -> Bool {
        let known = screens[snapshot.device]
        if known == nil && names.count >= limit { return false }
        let json = PageMessage.json(snapshot)
        screens[snapshot.device] = (snapshot, json)
        if known == nil {
            names.append(snapshot.device)
            broadcast(devices, to: [nil], send: send)
        }
        assert(names.count == screens.count, "a device is listed twice, or not at all")
        // The clock alone is no change: the page advances it by itself.
        var unchanged = snapshot
        unchanged.now = known?.snapshot.now ?? 0
        if unchanged == known?.snapshot { return true }
        // Viewers have chosen the device, or nothing if it is the only one.
        let isOnly = onlyDevice == snapshot.device
        let targets = isOnly ? [snapshot.device, nil] : [snapshot.device]
        broadcast(PageMessage(event: "screen", data: json), to: targets, send: send)
        return true
    }

    /// Adds a viewer, after sending it the current state.
    mutating func add(_ viewer: Viewer, device: String?, send: (Viewer, PageMessage) -> Bool) {
        var messages = [devices]
        if let screen = snapshot(of: device) {
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
        PageMessage(event: "devices", data: PageMessage.json(names))
    }
}

/// An event for a viewer of a page.
struct PageMessage {
    let event: String
    let data: String

    /// Plain values as JSON, which they can always be.
    static func json(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try! encoder.encode(value), as: UTF8.self)
    }
}
