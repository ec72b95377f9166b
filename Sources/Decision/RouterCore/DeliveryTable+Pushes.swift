internal import DataStructures
internal import ReloadModel

/// Push tokens, and the queues of devices that APNs reaches.
extension DeliveryTable {
    /// Queues a device without a session for a push by APNs, unless one is under way, or the device
    /// may still begin a session.
    @inline(never)
    func enqueuePush(_ device: DeviceID, record: DeviceRecord, in agenda: inout Agenda) {
        if !record.has(DeviceRecord.pushable) || record.has(DeviceRecord.pushing)
            || pushes[device].has(PushRecord.grace)
        {
            return
        }
        agenda.append(device, in: record.lane, isUrgent: record.has(DeviceRecord.urgent))
    }

    /// Whether the device's push token equals `token`; nil stands for no token.
    @inline(__always)
    func hasPushToken(_ device: DeviceID, equalTo token: ByteView?) -> Bool {
        let record = devices[device]
        guard let token else { return record.pushToken == ByteArena.none }
        return unsafe record.pushToken != ByteArena.none
            && names.view(record.pushToken, count: Int(record.pushTokenCount)) == token
    }

    /// Replaces the device's push token; nil removes it.
    mutating func setPushToken(of device: DeviceID, to token: ByteView?) {
        let record = devices[device]
        if record.pushToken != ByteArena.none {
            unsafe names.free(record.pushToken, byteCount: Int(record.pushTokenCount))
            devices[device].pushToken = ByteArena.none
            countBytes(
                of: record.app,
                adding: -StoredCost.pushToken - StoredCost.text(Int(record.pushTokenCount))
            )
        }
        if let token {
            devices[device].pushToken = names.store(token)
            devices[device].pushTokenCount = UInt16(token.count)
            countBytes(
                of: record.app,
                adding: StoredCost.pushToken + StoredCost.text(token.count)
            )
        }
    }
}
