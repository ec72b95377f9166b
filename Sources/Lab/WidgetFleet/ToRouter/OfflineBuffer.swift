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

    private var buffers: [Int: Entry] = [:]

    /// Starts buffering for a device, which has lost its network.
    mutating func begin(_ device: Int) {
        assert(buffers[device] == nil, "what is buffered for the device would be lost")
        buffers[device] = Entry()
    }

    /// Buffers a frame if its device is offline; returns false if the device is online.
    mutating func keep(_ frame: DeviceFrame, of device: Int, widget: Int?) -> Bool {
        if buffers[device] == nil { return false }
        buffers[device]?.frames.append((frame, widget))
        if buffers[device]!.frames.count > Self.limit { buffers[device]?.frames.removeFirst() }
        return true
    }

    /// Buffers a reload if its device is offline; returns false if the device is online.
    mutating func keep(_ reload: ReloadEvent, for device: Int) -> Bool {
        if buffers[device] == nil { return false }
        buffers[device]?.reloads.append(reload)
        if buffers[device]!.reloads.count > Self.limit { buffers[device]?.dropReload() }
        return true
    }

    /// Stops buffering for a device, which is online again; returns what was buffered.
    mutating func end(
        _ device: Int
    ) -> (frames: [(frame: DeviceFrame, widget: Int?)], reloads: [ReloadEvent]) {
        let kept = buffers.removeValue(forKey: device)
        return (kept?.frames ?? [], kept?.reloads ?? [])
    }
}
