internal import Basics
internal import FrameCodec
internal import StoreFormat

/// Who speaks for devices.
extension DeliveryTable {
    /// The session of a connection, as the sender of a frame.
    @inline(__always)
    func sender(on connection: ConnectionSlot) -> FrameSender {
        FrameSender(connection: connection, app: sessions[connection].app)
    }

    /// Whether this session is still open on its connection.
    @inline(__always)
    func hasSession(_ connection: ConnectionSlot, number session: UInt64) -> Bool {
        let record = sessions[connection]
        return record.number == session && record.role != nil
    }

    /// Why a connection has no session, as the beginning of a sentence; nil if it has one.
    func problem(withSessionOn connection: ConnectionSlot) -> String? {
        sessions.has(connection) && sessions[connection].role != nil
            ? nil : "connection \(connection) has no session"
    }

    /// Why there is no such device, as the beginning of a sentence; nil if there is one.
    func problem(with device: DeviceID) -> String? {
        isStored(device) ? nil : "there is no device \(device)"
    }

    /// The stored device for which a device's own session speaks; nil if there is none, or if a
    /// newer session speaks for it.
    func ownDevice(of connection: ConnectionSlot) -> DeviceID? {
        let record = sessions[connection]
        // The name is forgotten first if a newer session of the device takes this one's place.
        if record.role != .device || record.name == ByteArena.none { return nil }
        let name = unsafe names.view(record.name, count: Int(record.nameCount))
        guard let device = findDevice(of: record.app, named: name),
            devices[device].connection == connection,
            devices[device].session == record.number
        else { return nil }
        return device
    }

    /// Refuses a gateway's frame about a device that has a session of its own.
    ///
    /// - Throws: `device-attached`.
    @inline(__always)
    func requireNoSession(of app: AppID, device name: ByteView) throws(ProtocolError) {
        if findDeviceSession(of: app, named: name) == nil { return }
        throw ProtocolError(
            .deviceAttached,
            message: "\(quotation(name.string)) has a session and speaks for itself"
        )
    }

    /// Informs the gateway that speaks for a device that it does so no longer, unless it is the one
    /// on `connection`.
    mutating func reportDetached(
        _ device: DeviceID,
        from connection: ConnectionSlot,
        because reason: DetachedMessage.Reason,
        into out: inout Outbox
    ) {
        let record = devices[device]
        guard record.connection != connection, isAttached(record),
            sessions[record.connection].role == .gateway
        else { return }
        let body = DetachedMessage.encode(device: deviceName(device), reason: reason)
        out.write(to: record.connection, type: .detached, seq: 0, body: body)
    }

    // MARK: - The table

    /// Writes the open sessions.
    func writeConnections(to writer: inout StoreWriter) {
        for connection in sessions.ids {
            let record = sessions[connection]
            guard let role = record.role else { continue }
            writer.put(connection.rawValue)
            writer.put(record.number)
            writer.put(number: record.app)
            writer.put(role.storedNumber)
            switch role {
            case .publisher: writer.put(number: record.producer)
            case .device:
                writer.put(counted: unsafe names.view(record.name, count: Int(record.nameCount)))
            case .gateway, .server: break
            }
        }
    }
}
