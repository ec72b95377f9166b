internal import Basics
internal import FrameCodec

extension Router {
    /// Handles a frame that changes a device's state: applies and acknowledges it, or rejects it
    /// whole.
    mutating func receivedFromDevice(
        on connection: ConnectionSlot,
        type: FrameType,
        seq: UInt64,
        body: ByteView
    ) {
        state.scratch.frameSeq = seq
        do throws(ProtocolError) {
            try perform(.deviceFrame(connection: connection, type: type, body: body))
        } catch {
            return reject(connection, seq: seq, with: error)
        }
        capture.record(on: connection, type: type, seq: seq, body: body)
        accepted(on: connection, upTo: seq, arrival: .none)
    }

    /// Handles ATTACH: the gateway speaks for the devices that it lists, as far as it may, and the
    /// answer says for which it does not.
    mutating func receivedAttach(on connection: ConnectionSlot, seq: UInt64, body: ByteView) {
        var answer = AttachedMessage()
        do throws(ProtocolError) {
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
        } catch {
            return reject(connection, seq: seq, with: error)
        }
        outbox.write(to: connection, type: .attached, seq: seq, body: answer.encoded)
        capture.record(on: connection, type: .attach, seq: seq, body: body)
        accepted(on: connection, upTo: seq, arrival: .none)
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
