internal import DataStructures
internal import FrameCodec
internal import ReloadModel

extension Router {
    /// A frame that changes a device's state: done whole or refused whole, and acknowledged.
    mutating func receivedFromDevice(
        _ connection: UInt32,
        _ type: FrameType,
        _ seq: UInt64,
        _ body: ByteView
    ) {
        state.scratch.frameSeq = seq
        do throws(ProtocolError) {
            try perform(.deviceFrame(connection: connection, type: type, body: body))
        } catch {
            return reject(connection, seq: seq, error)
        }
        capture.record(connection, type, seq, body)
        accepted(connection, seq, arrival: 0)
    }

    /// A device or gateway has received the RELOADs up to `seq`.
    mutating func receivedAcknowledgement(_ connection: UInt32, _ seq: UInt64) -> Bool {
        let last = state.delivery.sessions[connection].lastReload
        if seq <= last { return true }
        fail(
            connection,
            ProtocolError(
                .seqNotRising,
                "ACK \(seq) is above \(last), the last RELOAD of this session"
            )
        )
        return false
    }

    // MARK: - Whose frame it is
}
