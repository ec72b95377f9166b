package import Basics

/// The limits of a pool of connections to APNs, and what is done at each.
package struct APNsPoolLimits: Sendable {
    /// The most connections.
    ///
    /// Beyond: pushes wait with the owner.
    package var connections = 4
    /// The most pushes of one connection that have no answer yet.
    ///
    /// Beyond: as above; Apple's settings may allow fewer.
    package var streams = 1_000
    /// The most of them before one was accepted on the connection.
    ///
    /// Source: Apple, "Sending notification requests to APNs": one. A benchmark whose server accepts
    /// none in Apple's form sets more.
    package var firstStreams = 1
    /// How long a push waits for its answer.
    ///
    /// Beyond: it ends without one. If no other was answered meanwhile, its connection takes no
    /// more, and another one is opened after a pause.
    package var answerTime = Milliseconds.seconds(10)
    /// The most bytes that a connection brings between two answers.
    ///
    /// Beyond: it is closed, and another one opened after a pause.
    package var unansweredBytes = 256 << 10
    /// How long a connection may take to be opened, with the lookup of the host and TLS.
    ///
    /// Beyond: it is closed, and another one opened after a pause.
    package var openTime = Milliseconds.seconds(15)
    /// After which time without an answer a connection is asked for a sign of life.
    ///
    /// Source: Apple, "Establishing a connection to APNs": after an hour.
    package var idleTime = Milliseconds.seconds(3_600)
    /// The pause after the first connection that could not be opened, or on which nothing was
    /// accepted; it doubles up to `longestPause`, and a random half is taken off.
    package var firstPause = Milliseconds.seconds(1)
    /// The longest of these pauses.
    package var longestPause = Milliseconds.seconds(60)

    /// The default limits.
    package init() {}
}
