import Basics
import LibuvLoop

/// One side of the conversations in these tests: owns connections, and notes what it is told.
///
/// By default it consumes everything; a test replaces what a callback does by setting a closure.
final class Party: ListenerOwner {
    enum Event: Equatable {
        case accepted
        case opened
        case tookHandshakeStep
        case received(Int)
        case waits
        case ended(UVError?)
        case drained
        case closed
    }

    var events: [Event] = []
    var connections: [TCPConnection] = []
    /// Everything consumed, of all connections.
    var bytes: [UInt8] = []
    /// Every view that was offered, whether consumed or not.
    var offers: [[UInt8]] = []
    /// Depth of calls that the test makes into a connection right now; a callback must find 0.
    var callsUnderWay = 0
    var callbacksInsideCalls = 0

    var whenAccepted: (TCPConnection) throws -> Void = { try $0.startReading() }
    var whenOpened: (TCPConnection) -> Void = { _ in }
    var whenReceived: (TCPConnection, ByteView) -> Int = { $1.count }
    var whenEnded: (TCPConnection) -> Void = { $0.close() }
    var whenDrained: (TCPConnection) -> Void = { _ in }
    var whenClosed: (TCPConnection) -> Void = { _ in }

    func listener(_ listener: TCPListener, accepted connection: TCPConnection) {
        record(.accepted)
        connections.append(connection)
        do { try whenAccepted(connection) } catch { connection.close() }
    }

    func connectionOpened(_ connection: TCPConnection) {
        record(.opened)
        whenOpened(connection)
    }

    func connection(_ connection: TCPConnection, tookHandshakeStep duration: Nanoseconds) {
        record(.tookHandshakeStep)
    }

    func connection(_ connection: TCPConnection, received view: ByteView) -> Int {
        record(.received(view.count))
        offers.append(view.array)
        let consumed = whenReceived(connection, view)
        bytes += view.slice(0, to: consumed).array
        return consumed
    }

    func connectionHasDeferredInput(_ connection: TCPConnection) {
        record(.waits)
    }

    func connectionEnded(_ connection: TCPConnection, error: UVError?) {
        record(.ended(error))
        whenEnded(connection)
    }

    func connectionDrained(_ connection: TCPConnection) {
        record(.drained)
        whenDrained(connection)
    }

    func connectionClosed(_ connection: TCPConnection) {
        record(.closed)
        whenClosed(connection)
    }

    func count(_ event: Event) -> Int { events.count { $0 == event } }

    var hasEnded: Bool {
        events.contains { if case .ended = $0 { true } else { false } }
    }

    /// Makes a call on a connection; a callback that comes inside it is counted.
    func calling(_ body: () -> Void) {
        callsUnderWay += 1
        body()
        callsUnderWay -= 1
    }

    private func record(_ event: Event) {
        if callsUnderWay > 0 { callbacksInsideCalls += 1 }
        events.append(event)
    }
}
