internal import Basics
internal import FrameCodec
internal import RouterCore

/// A push that matches very many widgets, sent every day at the same time.
struct Broadcast {
    /// The time of day, from midnight.
    var time: Milliseconds
    var family: World.Family
    /// The push names every `step`-th topic of the family, and at most `most` of them.
    var step: Int
    var most: Int
    var isUrgent = false
    /// The time until the push expires; nil for never.
    var validity: Milliseconds?

    /// The broadcasts of each day. The end of the match coincides with the date that its widgets
    /// ask for.
    static let programme: [Broadcast] = [
        Broadcast(time: clock(8, minute: 0), family: .region, step: 1, most: .max),
        Broadcast(time: clock(10, minute: 40), family: .stock, step: 1, most: 20),
        Broadcast(time: clock(12, minute: 0), family: .region, step: 1, most: .max, isUrgent: true),
        Broadcast(
            time: clock(16, minute: 45),
            family: .region,
            step: 1,
            most: .max,
            validity: .minutes(2)
        ),
        Broadcast(time: clock(19, minute: 47), family: .team, step: 10, most: 2, isUrgent: true),
        Broadcast(time: clock(20, minute: 31), family: .team, step: 10, most: 2, isUrgent: true),
        Broadcast(time: clock(20, minute: 58), family: .team, step: 10, most: 2, isUrgent: true),
        Broadcast(time: World.matchEnds, family: .team, step: 1, most: .max, isUrgent: true),
        Broadcast(
            time: clock(22, minute: 10),
            family: .place,
            step: 3,
            most: .max,
            isUrgent: true,
            validity: .minutes(10)
        ),
    ]

    /// When bursts of pushes for the hero begin; each lasts for a minute.
    static let heroBurstTimes = [
        clock(7, minute: 30), clock(12, minute: 15), clock(15, minute: 5), clock(18, minute: 20),
        clock(20, minute: 5), clock(22, minute: 30),
    ]
    /// The number of pushes in a burst, one each second.
    static var heroBurstLength: UInt32 { 60 }
    /// The time between two pushes for the champion, day and night.
    static let duelInterval = Milliseconds.seconds(100)
    /// When a part of the network fails.
    static let outage = clock(14, minute: 0)

    private static func clock(_ hour: Int64, minute: Int64) -> Milliseconds {
        .hours(hour) + .minutes(minute)
    }
}

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
