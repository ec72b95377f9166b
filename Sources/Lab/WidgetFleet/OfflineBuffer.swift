internal import ReloadRouterClient

/// Keeps frames and reloads for devices that are offline while the connection of their gateway is
/// open.
struct OfflineBuffer {
    /// The most frames, and the most reloads, of one device. Beyond that, the oldest frame is
    /// dropped, or the oldest reload whose widgets all have newer reloads; there always is one,
    /// because the limit exceeds the number of widgets of a device.
    static var limit: Int { 64 }

    /// The buffer of a device.
    private struct Entry {
        var frames: [(frame: DeviceFrame, widget: Int?)] = []
        var reloads: [ReloadEvent] = []

        /// Drops the oldest reload whose widgets all have newer ones.
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

    private var held: [Int: Entry] = [:]

    /// Starts buffering for a device, which has lost its network.
    mutating func hold(_ device: Int) {
        assert(held[device] == nil, "what is buffered for the device would be lost")
        held[device] = Entry()
    }

    /// Buffers a frame if its device is offline.
    ///
    /// - Returns: false if the device is online.
    mutating func keep(_ frame: DeviceFrame, of device: Int, widget: Int?) -> Bool {
        if held[device] == nil { return false }
        held[device]?.frames.append((frame, widget))
        if held[device]!.frames.count > Self.limit { held[device]?.frames.removeFirst() }
        return true
    }

    /// Buffers a reload if its device is offline.
    ///
    /// - Returns: false if the device is online.
    mutating func keep(_ reload: ReloadEvent, for device: Int) -> Bool {
        if held[device] == nil { return false }
        held[device]?.reloads.append(reload)
        if held[device]!.reloads.count > Self.limit { held[device]?.dropReload() }
        return true
    }

    /// Stops buffering for a device, which is online again.
    ///
    /// - Returns: what was buffered.
    mutating func release(
        _ device: Int
    ) -> (frames: [(frame: DeviceFrame, widget: Int?)], reloads: [ReloadEvent]) {
        let kept = held.removeValue(forKey: device)
        return (kept?.frames ?? [], kept?.reloads ?? [])
    }
}
