internal import Dispatch
internal import Glibc

/// Hears SIGINT, so that a run that is interrupted still tells what it was like.
final class InterruptSignal {
    private let source: any DispatchSourceSignal

    init(_ stop: FleetStop) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT)
        source.setEventHandler { stop.request() }
        source.resume()
    }

    func cancel() {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
