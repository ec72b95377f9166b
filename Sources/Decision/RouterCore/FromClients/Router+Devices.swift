internal import Basics
internal import FrameCodec

/// Frames of devices' sessions that a front has received.
extension Router {
    /// Applies a frame of a session that changes a device's state.
    ///
    /// - Throws: why it is refused whole.
    mutating func receive(
        _ type: FrameType,
        on connection: ConnectionSlot,
        seq: UInt64,
        body: ByteView
    ) throws(ProtocolError) {
        state.scratch.frameSeq = seq
        try perform(.deviceFrame(connection: connection, type: type, body: body))
    }

    /// Applies ATTACH: the gateway speaks for the devices that it lists, as far as it may. Returns
    /// the answer, which says for which it does not.
    ///
    /// - Throws: why the frame is refused; then no device is attached.
    mutating func receiveAttach(
        on connection: ConnectionSlot,
        body: ByteView
    ) throws(ProtocolError) -> AttachedMessage {
        var answer = AttachedMessage()
        try state.scratch.validate(body, charging: &outbox)
        let message = try AttachMessage(body)
        state.scratch.identifiers.isStored = false
        // All ids are checked before any device is attached.
        try message.visitDevices { (position, text) throws(ProtocolError) in
            _ = try state.scratch.identifiers.identifier(text, of: "devices[\(position)]")
        }
        try message.visitDevices { (_, text) throws(ProtocolError) in
            outbox.work.charge(WorkCost.decision)
            attach(text, to: connection, answer: &answer)
        }
        return answer
    }

    /// Attaches a device to a gateway, or says in the answer why not.
    private mutating func attach(
        _ text: JSONText,
        to connection: ConnectionSlot,
        answer: inout AttachedMessage
    ) {
        do throws(ProtocolError) {
            let device = try state.storedDevice(
                from: state.reloads.delivery.sender(on: connection),
                named: text
            )
            answer.count += 1
            let record = state.reloads.delivery.devices[device]
            let isAttached =
                state.reloads.delivery.isAttached(record) && record.connection == connection
            let isSignOfLife = state.reloads.delivery.isSignOfLife(
                device,
                limit: limits.deviceIdle,
                clock: state.reloads.clock
            )
            if !isAttached || isSignOfLife {
                commit(.deviceAttached(connection: connection, device: device))
            }
        } catch {
            switch error.code {
            case .deviceForeign: answer.foreign.append(text.string)
            case .deviceAttached: answer.own.append(text.string)
            default: answer.unknown.append(text.string)
            }
        }
    }
}
