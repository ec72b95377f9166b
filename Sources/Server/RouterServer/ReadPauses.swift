/// The reasons not to read from a connection: its bytes stay with the kernel until none is left.
///
/// A reason belongs either to one peer (`Server.PeerEntry.pauses`) or to all of them at once
/// (`Server.commonPauses`). Whoever adds one pauses the connection; whoever removes one calls
/// `Server.resumeReading`, which alone decides whether another one is left.
struct ReadPauses: OptionSet {
    let rawValue: UInt8

    /// The peer does not take its output, or waits for a WELCOME with too much behind it.
    static var ownOutput: ReadPauses { ReadPauses(rawValue: 1 << 0) }
    /// The router takes no frames of the peer now; it is in `Server.held`.
    static var held: ReadPauses { ReadPauses(rawValue: 1 << 1) }
    /// Everybody: too much waits for the store.
    static var store: ReadPauses { ReadPauses(rawValue: 1 << 2) }
    /// Everybody: all output together is at its limit.
    static var totalOutput: ReadPauses { ReadPauses(rawValue: 1 << 3) }
    /// Everybody: all input that is kept is at its limit.
    static var totalInput: ReadPauses { ReadPauses(rawValue: 1 << 4) }
}
