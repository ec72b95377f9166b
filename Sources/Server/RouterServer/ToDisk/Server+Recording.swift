internal import Basics
internal import CaptureFiles
internal import CaptureFormat
internal import LibuvLoop
internal import Logging
internal import RouterCore

/// What the loop does for a recording of the router's inputs.
extension Server {
    /// Starts a recording: of the stored state first, then of all inputs; to be called before
    /// `run`. A random number identifies it.
    package func record(_ settings: RecordingSettings, number: UInt64) throws {
        assert(self.recording == nil, "inputs are recorded already")
        let timer = try ServerTimer(self) { $0.continueRecording() }
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

    /// Submits the tick's records to the recording.
    func submitRecordings() {
        recording?.endTick(&router)
    }

    /// Submits records that `endTick` has kept because they were few, and logs changes in the
    /// writer's state.
    func continueRecording() {
        guard let recording else { return }
        setArrivalTime()
        recording.submitRecords(&router)
        switch recording.takeChange() {
        case nil: break
        case .begins(let error):
            logger.error("nothing is recorded: writing fails", metadata: ["error": "\(error)"])
        case .ends:
            logger.notice("inputs are recorded again")
        }
    }

    /// Writes the remaining records; called when no peer is served any more.
    func closeRecording() {
        guard let recording else { return }
        do throws(CaptureError) {
            try recording.close(&router)
        } catch {
            logger.error("the recording lacks its end", metadata: ["error": "\(error)"])
        }
    }
}
