/// Connections that are not read from until the router takes frames again, by slot.
///
/// Whoever was refused comes before whoever was interrupted, so that nobody who has had a turn gets
/// another one before everybody else has had theirs.
struct HeldConnections {
    /// Those whose frames the router was too busy to look at.
    private var refused: ContiguousArray<UInt32> = []
    /// Those whose own frames have made the router busy.
    private var interrupted: ContiguousArray<UInt32> = []

    var count: Int { refused.count + interrupted.count }
    var isEmpty: Bool { refused.isEmpty && interrupted.isEmpty }

    mutating func append(_ slot: UInt32, isRefused: Bool) {
        if isRefused { refused.append(slot) } else { interrupted.append(slot) }
    }

    /// Hands over all of them, in the order in which they are to be read from.
    mutating func removeAll() -> ContiguousArray<UInt32> {
        let slots = refused + interrupted
        refused.removeAll(keepingCapacity: true)
        interrupted.removeAll(keepingCapacity: true)
        return slots
    }
}
