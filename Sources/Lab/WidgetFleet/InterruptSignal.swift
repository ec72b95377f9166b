internal import Dispatch
internal import Glibc

/// Turns SIGINT and SIGTERM into a request to stop, so that an interrupted run is still reported.
/// Another such signal ends the process at once.
final class InterruptSignal {
    private static let signals = [SIGINT, SIGTERM]

    private let sources: [any DispatchSourceSignal]

    init(_ stop: FleetStop) {
        sources = Self.signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                stop.request()
                Self.restore()
            }
            source.resume()
            return source
        }
    }

    /// Restores the default effect of the signals.
    func cancel() {
        for source in sources { source.cancel() }
        Self.restore()
    }

    private static func restore() {
        for number in signals { signal(number, SIG_DFL) }
    }
}
