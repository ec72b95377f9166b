internal import CaptureFiles
package import CaptureFormat
internal import LibuvLoop
internal import Logging
internal import RouterCore

/// What the loop does for a recording of its inputs.
extension Server {
    /// Records what is accepted from now on, and first what is stored; to be called before `run`.
    ///
    /// - Parameters:
    ///   - settings: what to record, and where to.
    ///   - number: drawn at random, to tell the recording from others.
    /// - Throws: `CaptureError` if no file can be made.
    package func record(_ settings: RecordingSettings, number: UInt64) throws(CaptureError) {
        let recording = try Recording(settings, number: number)
        recording.start(&router, appFile: router.appsSource)
        self.recording = recording
        try? handles.recordTimer?.start(
            afterMilliseconds: Recording.interval,
            repeatingMilliseconds: Recording.interval
        )
        logger.notice("inputs are recorded", metadata: ["file": "\(recording.path)"])
        if settings.options.isRedacted { return }
        logger.warning("the recording has payloads as they are: --redact hashes their values")
    }

    /// What the router is given from here on comes now.
    func noteArrival() {
        if let recording { router.setArrival(recording.now) }
    }

    /// Hands over what the turn has brought.
    func handOverRecords() {
        recording?.endTurn(&router)
    }

    /// Hands over what has been waiting for more, and looks at how the writer does.
    func continueRecording() {
        guard let recording else { return }
        noteArrival()
        recording.handOver(&router)
        switch recording.takeChange() {
        case nil: break
        case .begins(let error):
            logger.error("nothing is recorded: writing fails", metadata: ["error": "\(error)"])
        case .ends:
            logger.notice("inputs are recorded again")
        }
    }

    /// Writes the rest when nobody is served any more.
    func closeRecording() {
        guard let recording else { return }
        do throws(CaptureError) {
            try recording.close(&router)
        } catch {
            logger.error("the recording has not its end", metadata: ["error": "\(error)"])
        }
    }
}
