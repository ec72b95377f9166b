internal import Foundation
internal import RouterSimulation
internal import Synchronization
internal import WidgetTimelines

/// A message from widget code, which may run on any thread.
enum FleetMessage {
    /// The entry for a placeholder or snapshot.
    case sample(RenderableEntry)
    /// A timeline, and by how many seconds the devices' clock was ahead of the clock that its code
    /// had read.
    case timeline(RenderableTimeline, shift: Double)
    /// A call of `reloadTimelines(ofKind:)`, or of `reloadAllTimelines()` if the kind is nil.
    case request(kind: String?, isDownload: Bool = false)
    /// Starts a background download.
    case download(path: String, identifier: String)
    /// A background download has ended; `data` is nil if it failed.
    case downloaded(path: String, identifier: String, data: Data?)
    /// Fetches a resource from the origin.
    case fetch(path: String, @Sendable (Result<Data, OriginError>) -> Void)
}

/// Carries messages from widget code to the fleet's thread, while the code answers a question
/// (`ProviderQuestion`), such as one for a timeline.
///
/// It has no limit: each widget has at most one question pending, and code that sends many messages
/// at once delays only its own fleet.
final class FleetMailbox: Sendable {
    /// A message, with the device that it comes from and the question that the code was asked.
    struct Envelope {
        let device: Int
        let question: ProviderQuestion
        let message: FleetMessage
    }

    private struct State {
        var envelopes: [Envelope] = []
        /// The number of questions whose code is running: it has not answered, and does not wait
        /// for the origin.
        var runningQuestions = 0
    }

    // Timelines contain values of widget code, which only one thread at a time may use. The sending
    // thread gives them up when it puts them in here.
    private struct UncheckedState: @unchecked Sendable {
        var state = State()
    }

    private let state = Mutex(UncheckedState())
    private let wake: @Sendable () -> Void
    /// The devices' clock; nil if it is the system's.
    let clock: VirtualClock?
    /// What runs asynchronous widget code; nil if it may run on any thread.
    fileprivate let executor: CodeExecutor?

    /// The clock is nil if it is the system's; without an executor, asynchronous widget code may
    /// run on any thread. `wake` is called on any thread when the mailbox is no longer empty, or
    /// code has stopped running.
    init(
        clock: VirtualClock? = nil,
        executor: CodeExecutor? = nil,
        wake: @escaping @Sendable () -> Void
    ) {
        self.clock = clock
        self.executor = executor
        self.wake = wake
    }

    /// Puts in a message, from any thread.
    func put(_ message: FleetMessage, for question: ProviderQuestion, of device: Int) {
        nonisolated(unsafe) let envelope = Envelope(
            device: device,
            question: question,
            message: message
        )
        let isFirst = state.withLock { box in
            unsafe box.state.envelopes.append(envelope)
            return box.state.envelopes.count == 1
        }
        if isFirst { wake() }
    }

    /// Removes and returns all messages, in their order.
    func take() -> [Envelope] {
        nonisolated(unsafe) var taken: [Envelope] = []
        state.withLock { box in
            unsafe swap(&box.state.envelopes, &taken)
        }
        return unsafe taken
    }

    /// Whether the mailbox is empty.
    var isEmpty: Bool { state.withLock { $0.state.envelopes.isEmpty } }

    /// The number of questions whose code is running on other threads.
    var runningQuestions: Int { state.withLock { $0.state.runningQuestions } }

    /// Changes the number of questions whose code is running.
    fileprivate func count(runningQuestions change: Int) {
        state.withLock { $0.state.runningQuestions += change }
        if change < 0 { wake() }
    }
}

/// The device that widget code sees while it answers one question: `WidgetCenter` and
/// `OriginSession` call it.
final class AskedDevice: WidgetCenterDevice, OriginTransport {
    private let mailbox: FleetMailbox
    private let device: Int
    private let question: ProviderQuestion
    private let widgets: [WidgetInfo]
    private let isOnline: Bool
    private let token: Data?
    /// When the question was asked, by the system's clock, which widget code reads.
    private let askedAt = Date.now
    /// The results of background downloads, by path.
    private let downloads: [String: Data]
    /// True if the code was called because a download has ended.
    private let isDownload: Bool
    private let progress = Mutex(Progress())

    private struct Progress {
        /// Fetches without an answer. It is negative for a moment when an answer arrives before its
        /// fetch is counted.
        var fetches = 0
        var isAnswered = false
        /// True while the code is running.
        var isBusy: Bool { !isAnswered && fetches <= 0 }
    }

    init(
        _ mailbox: FleetMailbox,
        device: Int,
        question: ProviderQuestion,
        widgets: [WidgetInfo],
        isOnline: Bool,
        token: Data?,
        downloads: [String: Data] = [:],
        isDownload: Bool = false
    ) {
        self.mailbox = mailbox
        self.device = device
        self.question = question
        self.widgets = widgets
        self.isOnline = isOnline
        self.token = token
        self.downloads = downloads
        self.isDownload = isDownload
        mailbox.count(runningQuestions: 1)
    }

    deinit {
        // Code that drops its completion handler will never answer.
        let wasBusy = progress.withLock { $0.isBusy }
        if wasBusy { mailbox.count(runningQuestions: -1) }
    }

    /// Sends the code's answer.
    func answer(_ message: FleetMessage) {
        mailbox.put(message, for: question, of: device)
        finish()
    }

    /// Sends a timeline as the answer; its dates are by the system's clock.
    func answer(_ timeline: RenderableTimeline) {
        answer(.timeline(timeline, shift: shift(of: timeline)))
    }

    /// By how many seconds the device's clock is ahead of the clock that the code has read.
    ///
    /// While the code runs, no time passes on the device, but some passes by the system's clock. An
    /// entry whose date lies in that time shows when the code has read the clock. With this shift,
    /// the timeline's dates on the device are the same in each run, even if the code had to wait
    /// for a processor.
    private func shift(of timeline: RenderableTimeline) -> TimeInterval {
        guard let clock = mailbox.clock else { return 0 }
        let now = Date.now
        let read = timeline.entries.first { askedAt <= $0.date && $0.date <= now }?.date ?? now
        return clock.time - read.timeIntervalSince1970
    }

    var executor: (any TaskExecutor)? { mailbox.executor }

    /// Ends the question: the code will send nothing more.
    func finish() {
        let wasBusy = progress.withLock { progress in
            defer { progress.isAnswered = true }
            return progress.isBusy
        }
        if wasBusy { mailbox.count(runningQuestions: -1) }
    }

    func currentWidgets() -> [WidgetInfo] { widgets.filter { !$0.isControl } }

    func currentControls() -> [ControlInfo] {
        widgets.filter(\.isControl).map { ControlInfo(kind: $0.kind, id: $0.name) }
    }

    func reload(kind: String?) {
        mailbox.put(.request(kind: kind, isDownload: isDownload), for: question, of: device)
    }

    func download(_ path: String, identifier: String) {
        let message = FleetMessage.download(path: path, identifier: identifier)
        mailbox.put(message, for: question, of: device)
    }

    func downloaded(_ path: String) -> Data? { downloads[path] }

    func pushInfo() -> WidgetPushInfo? { token.map { WidgetPushInfo(token: $0) } }

    func fetch(
        _ path: String,
        completion: @escaping @Sendable (Result<Data, OriginError>) -> Void
    ) {
        guard isOnline else { return completion(.failure(.offline)) }
        let envelope = FleetMessage.fetch(path: path) { result in
            self.change(fetches: -1)
            completion(result)
        }
        mailbox.put(envelope, for: question, of: device)
        change(fetches: 1)
    }

    /// Changes the number of open fetches, on which it depends whether the code counts as running.
    private func change(fetches: Int) {
        let runningQuestions = progress.withLock { progress in
            let was = progress.isBusy
            progress.fetches += fetches
            return (progress.isBusy ? 1 : 0) - (was ? 1 : 0)
        }
        if runningQuestions != 0 { mailbox.count(runningQuestions: runningQuestions) }
    }
}
