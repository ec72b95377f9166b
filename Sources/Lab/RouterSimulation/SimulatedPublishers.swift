internal import Basics
internal import FrameCodec
internal import RouterCore

/// The simulated publishers, with their pushes that are not acknowledged yet.
struct SimulatedPublishers {
    static var count: Int { 4 }

    /// A push without an ACK, and the number of widgets that it must match.
    struct SentPush: BitwiseCopyable {
        var seq: UInt64
        var matched: UInt32
    }

    var random: SplitMix64
    /// The last sequence number of each publisher.
    var seqs = [UInt64](repeating: 0, count: count)
    /// The pushes of each publisher without an ACK, in order.
    var unacknowledged = [[SentPush]](repeating: [], count: count)
    /// The health that was last pushed for each character.
    var health: ContiguousArray<UInt8>

    init(_ options: SimulationOptions, in world: World) {
        random = SplitMix64(seed: options.seed, stream: .max)
        let characters = world.topics(.character).count
        health = ContiguousArray(repeating: 100, count: characters)
    }
}
