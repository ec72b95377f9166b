internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import Times

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
}
