internal import Foundation

/// The devices that a server shows, and who looks at which of them.
///
/// Viewers of no device in particular look at the only one there is; of several they see the names.
struct PageState<Viewer> {
    private var names: [String] = []
    private var screens: [String: (snapshot: HomeScreenSnapshot, json: String)] = [:]
    private var viewers: [(device: String?, viewer: Viewer)] = []

    /// Something that is to be told to a viewer.
    struct Message: Equatable {
        let event: String
        let data: String
    }

    /// Whom to ask for when a request names nobody.
    private var only: String? { names.count == 1 ? names[0] : nil }

    func snapshot(of device: String?) -> (snapshot: HomeScreenSnapshot, json: String)? {
        (device ?? only).flatMap { screens[$0] }
    }

    /// Whether a request has to say which device it means.
    var isAmbiguous: Bool { names.count > 1 }

    /// Takes the latest snapshot of a device.
    ///
    /// Here and below `send` tells one of the viewers, and is false if it has gone.
    ///
    /// - Returns: false if there are as many devices as there may be, and this is another one.
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
            tell([nil], send, Self.devices(names))
        }
        // The clock goes on by itself.
        var unchanged = snapshot
        unchanged.now = known?.snapshot.now ?? 0
        if unchanged == known?.snapshot { return true }
        tell(targets(snapshot.device), send, Message(event: "screen", data: json))
        return true
    }

    /// Tells whoever looks at a device.
    mutating func tell(
        _ message: Message,
        toViewersOf device: String,
        send: (Viewer, Message) -> Bool
    ) {
        tell(targets(device), send, message)
    }

    /// Adds a viewer, who is told how things are.
    mutating func add(_ viewer: Viewer, device: String?, send: (Viewer, Message) -> Bool) {
        var messages = [Self.devices(names)]
        if let screen = snapshot(of: device) {
            messages.append(Message(event: "screen", data: screen.json))
        }
        for message in messages where !send(viewer, message) { return }
        viewers.append((device, viewer))
    }

    /// - Returns: all viewers, who are not told anything any more.
    mutating func removeViewers() -> [Viewer] {
        defer { viewers = [] }
        return viewers.map(\.viewer)
    }

    /// Which viewers see a device: those who chose it, and if it is the only one, those who did not.
    private func targets(_ device: String) -> [String?] {
        only == device ? [device, nil] : [device]
    }

    private mutating func tell(
        _ targets: [String?],
        _ send: (Viewer, Message) -> Bool,
        _ message: Message
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
        // Plain values, of which none can fail now.
        return String(decoding: try! encoder.encode(value), as: UTF8.self)
    }
}
