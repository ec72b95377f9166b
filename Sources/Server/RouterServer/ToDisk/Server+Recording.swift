internal import Basics
internal import CaptureFiles
internal import LibuvLoop
internal import Logging
internal import RouterCore

/// What the loop does for a recording of the router's inputs.
extension Server {
    /// Starts a recording: of the stored state first, then of all inputs; to be called before
    /// `run`. A random number identifies it.
    package func record(_ settings: RecordingSettings, number: UInt64) throws {
        assert(self.recording == nil, "inputs are recorded already")
        let timer = try ServerTimer(self) { server in
            server.recording?.resume(&server.router, logger: server.logger)
        }
        let recording = try Recording(settings, number: number, timer: timer)
        recording.start(&router, appFile: router.appsSource)
        self.recording = recording
        logger.notice("inputs are recorded", metadata: ["file": "\(recording.path)"])
        if settings.options.isRedacted { return }
        logger.warning("the recording contains payloads unchanged: --redact hashes their values")
    }

    /// Sets the present time as the arrival time of the inputs that follow.
    func setArrivalTime() {
        if let recording { router.setArrival(recording.now) }
    }
}
