internal import Foundation

/// The devices that a page server shows, and its viewers.
///
/// A viewer that has not chosen a device sees the only device; if there are several, it sees their
/// names.
struct PageState<Viewer> {
    private var names: [String] = []
    private var screens: [String: (snapshot: HomeScreenSnapshot, json: String)] = [:]
    private var viewers: [(device: String?, viewer: Viewer)] = []

    /// An event for a viewer.
    struct Message: Equatable {
        let event: String
        let data: String
    }

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
        send: (Viewer, Message) -> Bool
    ) -> Bool {
        let known = screens[snapshot.device]
        if known == nil && names.count >= limit { return false }
        let json = Self.json(snapshot)
        screens[snapshot.device] = (snapshot, json)
        if known == nil {
            names.append(snapshot.device)
            broadcast([nil], using: send, message: Self.devices(names))
        }
        assert(names.count == screens.count, "a device is listed twice, or not at all")
        // The clock alone is no change: the page advances it by itself.
        var unchanged = snapshot
        unchanged.now = known?.snapshot.now ?? 0
        if unchanged == known?.snapshot { return true }
        broadcast(
            targets(snapshot.device),
            using: send,
            message: Message(event: "screen", data: json)
        )
        return true
    }

    /// Sends a message to all viewers of a device.
    mutating func broadcast(
        _ message: Message,
        toViewersOf device: String,
        send: (Viewer, Message) -> Bool
    ) {
        broadcast(targets(device), using: send, message: message)
    }

    /// Adds a viewer, after sending it the current state.
    mutating func add(_ viewer: Viewer, device: String?, send: (Viewer, Message) -> Bool) {
        var messages = [Self.devices(names)]
        if let screen = snapshot(of: device) {
            messages.append(Message(event: "screen", data: screen.json))
        }
        for message in messages where !send(viewer, message) { return }
        viewers.append((device, viewer))
    }

    /// Removes and returns all viewers.
    mutating func removeViewers() -> [Viewer] {
        defer { viewers = [] }
        return viewers.map(\.viewer)
    }

    /// The choices of the viewers that see a device: its name, and nil if it is the only device.
    private func targets(_ device: String) -> [String?] {
        onlyDevice == device ? [device, nil] : [device]
    }

    private mutating func broadcast(
        _ targets: [String?],
        using send: (Viewer, Message) -> Bool,
        message: Message
    ) {
        viewers.removeAll { device, viewer in
            targets.contains(device) && !send(viewer, message)
        }
    }

    private static func devices(_ names: [String]) -> Message {
        Message(event: "devices", data: json(names))
    }

    private static func json(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "0",
            negativeInfinity: "0",
            nan: "0"
        )
        // These plain values can always be encoded.
        return String(decoding: try! encoder.encode(value), as: UTF8.self)
    }
}
