internal import ReloadRouterClient

/// What a gateway keeps for devices that are offline: the gateway's own connection is there.
struct HeldTraffic {
    /// Frames, or reloads, of one device; beyond, the oldest frame is dropped, or the oldest reload
    /// whose widgets newer ones reload as well: there are more reloads than a device has widgets.
    static var limit: Int { 64 }

    private struct Held {
        var frames: [(frame: DeviceFrame, widget: Int?)] = []
        var reloads: [ReloadEvent] = []

        mutating func dropReload() {
            var newer: Set<String> = []
            var dropped = 0
            for index in reloads.indices.reversed() {
                if reloads[index].widgets.allSatisfy(newer.contains) { dropped = index }
                newer.formUnion(reloads[index].widgets)
            }
            reloads.remove(at: dropped)
        }
    }

    private var held: [Int: Held] = [:]

    /// The device has no network from now on.
    mutating func hold(_ device: Int) { held[device] = Held() }

    /// Keeps a frame of a device that is offline.
    ///
    /// - Returns: whether it is.
    mutating func keep(_ frame: DeviceFrame, of device: Int, widget: Int?) -> Bool {
        if held[device] == nil { return false }
        held[device]?.frames.append((frame, widget))
        if held[device]!.frames.count > Self.limit { held[device]?.frames.removeFirst() }
        return true
    }

    /// Keeps a reload for a device that is offline.
    ///
    /// - Returns: whether it is.
    mutating func keep(_ reload: ReloadEvent, for device: Int) -> Bool {
        if held[device] == nil { return false }
        held[device]?.reloads.append(reload)
        if held[device]!.reloads.count > Self.limit { held[device]?.dropReload() }
        return true
    }

    /// The device is back.
    ///
    /// - Returns: what was kept.
    mutating func release(
        _ device: Int
    ) -> (frames: [(frame: DeviceFrame, widget: Int?)], reloads: [ReloadEvent]) {
        let kept = held.removeValue(forKey: device)
        return (kept?.frames ?? [], kept?.reloads ?? [])
    }
}
