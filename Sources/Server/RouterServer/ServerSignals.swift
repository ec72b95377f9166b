internal import LibuvLoop

/// The signals that the server handles: SIGHUP makes it read its files again, SIGINT and SIGTERM
/// end it.
final class ServerSignals: SignalOwner {
    private static let interrupt: CInt = 2
    private static let terminate: CInt = 15
    private static let hangUp: CInt = 1

    private unowned let server: Server
    private var signals: [LoopSignal] = []

    init(_ server: Server) throws(UVError) {
        self.server = server
        for number in [Self.interrupt, Self.terminate, Self.hangUp] {
            signals.append(try LoopSignal(server.core.loop, signal: number, owner: self))
        }
    }

    func signalReceived(_ signal: LoopSignal) {
        if signal.number == Self.hangUp { server.readFilesAgain() } else { server.stop() }
    }

    func close() {
        // A further signal while the last handles close must not kill the process before it exits.
        discardSignals([Self.interrupt, Self.terminate])
        for signal in signals { signal.close() }
    }
}
