internal import Dispatch
internal import Glibc

/// Turns SIGINT into a request to stop, so that an interrupted run is still reported.
final class InterruptSignal {
    private let source: any DispatchSourceSignal

    init(_ stop: FleetStop) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT)
        source.setEventHandler { stop.request() }
        source.resume()
    }

    /// Restores the default effect of SIGINT.
    func cancel() {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
