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
        assert(core.recording == nil, "inputs are recorded already")
        let timer = try ServerTimer(self) { server in
            server.core.recording?.resume(&server.core.router, logger: server.core.logger)
        }
        let recording = try Recording(settings, number: number, timer: timer)
        recording.start(&core.router, appFile: core.router.appsSource)
        core.recording = recording
        core.logger.notice("inputs are recorded", metadata: ["file": "\(recording.path)"])
        if settings.options.isRedacted { return }
        core.logger.warning(
            "the recording contains payloads unchanged: --redact hashes their values"
        )
    }
}
