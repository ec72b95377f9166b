package import Basics
internal import FrameCodec

/// What the pushes of a request over HTTP are found by, while it is under way, if they have names
/// of their own: events.
struct PushNames {
    /// The connection of its publisher.
    let connection: ConnectionSlot
    /// The number that its first line has, or would have.
    let firstSeq: UInt64
    /// The first bits of the name of each line (`RequestKey.high`); 0 for none.
    let names: [UInt64]

    /// The name of the push with a number; nil if it has none.
    subscript(seq: UInt64) -> UInt64? {
        if seq < firstSeq || seq - firstSeq >= UInt64(names.count) { return nil }
        let name = names[Int(seq - firstSeq)]
        return name == 0 ? nil : name
    }
}

extension Router {
    /// Names the pushes of a publisher's next request, the first of which has the number
    /// `firstSeq`, by the first bits of their names (`RequestKey.high`), 0 for none. No names end
    /// those of the request before; so does the end of the connection.
    package mutating func namePushes(
        _ names: [UInt64],
        from firstSeq: UInt64,
        on connection: ConnectionSlot
    ) {
        dropPushNames(of: connection)
        let session = state.reloads.delivery.sessions[connection]
        if names.isEmpty || session.role != .publisher { return }
        outbox.observer.pushNames[session.producer] = PushNames(
            connection: connection,
            firstSeq: firstSeq,
            names: names
        )
    }

    /// Forgets the names of pushes of a connection.
    mutating func dropPushNames(of connection: ConnectionSlot) {
        if outbox.observer.pushNames.isEmpty { return }
        let former = outbox.observer.pushNames.first { $0.value.connection == connection }
        if let former { outbox.observer.pushNames[former.key] = nil }
    }
}
