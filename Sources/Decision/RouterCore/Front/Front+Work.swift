internal import Basics

/// What connections may spend of the loop's work, which the front shares with the partition; see
/// `WorkMeter`. And which of them are not read from now.
extension Front {
    /// Whether `received` accepts no frame of a connection now.
    func isPaused(_ connection: ConnectionSlot, of partition: borrowing Router) -> Bool {
        refuses(connection, of: partition) || isOverdrawn(connection, of: partition)
    }

    /// Whether a connection's frames wait for another reason than the connection's share of the
    /// work.
    @inline(__always)
    func refuses(_ connection: ConnectionSlot, of partition: borrowing Router) -> Bool {
        partition.isBusy || isReadingPaused(connection, of: partition)
    }

    /// Whether the connection is a publisher's whose next frames wait, because its earlier pushes
    /// have matches left or its app is paused.
    @inline(__always)
    func isReadingPaused(_ connection: ConnectionSlot, of partition: borrowing Router) -> Bool {
        partition.mayPublishersWait && isPublisher(connection)
            && partition.isWaiting(publisherOn: connection)
    }

    /// Whether the connection is a publisher's whose app is paused, so that none of its frames is
    /// accepted.
    func isPausedPublisher(_ connection: ConnectionSlot, of partition: borrowing Router) -> Bool {
        isPublisher(connection) && partition.isAppPaused(of: connection)
    }

    /// Whether a connection has used up its share of the work or rests, so that its frames wait for
    /// further rounds.
    func isOverdrawn(_ connection: ConnectionSlot, of partition: borrowing Router) -> Bool {
        isResting(connection, of: partition)
            || partition.outbox.work.credit(
                of: sessions.connections[connection].work,
                in: sessions.connections[connection].group
            ) <= 0
    }

    /// When a connection's frames are accepted again after costly ones; nil if they are accepted
    /// now.
    func restEnd(
        _ connection: ConnectionSlot,
        of partition: borrowing Router
    ) -> MonotonicTime? {
        isResting(connection, of: partition)
            ? sessions.connections[connection].work.restUntil : nil
    }

    @inline(__always)
    func isResting(_ connection: ConnectionSlot, of partition: borrowing Router) -> Bool {
        sessions.connections[connection].work.restUntil > partition.time
    }

    /// Charges a connection for work that continues after its frames were taken, and that is in the
    /// tick's work already: for what it is expected to cost, by what its frames have cost lately.
    mutating func pay(_ cost: Int, for connection: ConnectionSlot, in partition: inout Router) {
        partition.outbox.work.settle(
            &sessions.connections[connection].work,
            in: sessions.connections[connection].group,
            cost: sessions.connections[connection].work.expectation(of: cost),
            at: partition.time
        )
    }

    /// Counts a connection whose frames have to wait among those that share the next round's work.
    mutating func waits(_ connection: ConnectionSlot, in partition: inout Router) {
        partition.outbox.work.wait(
            &sessions.connections[connection].work,
            in: sessions.connections[connection].group
        )
    }

    /// Replaces the estimated cost of the driver's present callback by what it has cost so far; see
    /// `Router.measured`.
    mutating func measured(
        _ time: Nanoseconds,
        of connection: ConnectionSlot,
        in partition: inout Router
    ) {
        let answers = partition.outbox.work.unmeasured.estimates > 0 ? Router.answersWork : 0
        partition.outbox.work.measure(
            Int(time.rawValue) + answers,
            of: &sessions.connections[connection].work,
            in: sessions.connections[connection].group,
            at: partition.time
        )
    }
}
