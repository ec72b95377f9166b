internal import Basics
internal import FrameCodec
internal import StoreFormat

/// A push as its home records it: what its PUSH frame says.
struct AcceptedPush {
    /// Its sequence number.
    var seq: UInt64
    /// The flags of the frame; see `PushFlags`.
    var flags: UInt8
    /// The body of the frame, which has a valid payload.
    var body: ByteView

    init(seq: UInt64, flags: UInt8, body: ByteView) {
        self.seq = seq
        self.flags = flags
        self.body = body
    }

    func write(to writer: inout StoreWriter) {
        writer.put(varint: seq)
        writer.put(flags)
        writer.put(counted: body)
    }

    init(reading reader: inout StoreReader) throws(StoreError) {
        seq = try reader.readVarint()
        flags = try reader.read(UInt8.self)
        body = try reader.readCounted()
    }
}
