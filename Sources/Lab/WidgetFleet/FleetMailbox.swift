internal import DeviceSimulation
internal import Foundation
internal import Synchronization
internal import WidgetTimelines

/// What widget code has to say, on whatever thread it runs.
enum FleetMail {
    case sample(RenderableEntry)
    /// With how far the device's clock was ahead of the system's when it came, in seconds.
    case timeline(RenderableTimeline, shift: Double)
    /// `reloadTimelines(ofKind:)`; nil for all.
    case request(kind: String?, isDownload: Bool = false)
    /// A question in the background.
    case download(path: String, identifier: String)
    /// Such a question is over.
    case downloaded(path: String, identifier: String, data: Data?)
    case fetch(path: String, @Sendable (Result<Data, OriginError>) -> Void)
}

/// Brings what widget code says to the fleet's thread.
///
/// Without a limit of its own: each device has one question out for each widget, and code that asks
/// for more in one go holds up nobody but its fleet.
final class FleetMailbox: Sendable {
    struct Letter {
        let device: Int
        let question: ProviderQuestion
        let mail: FleetMail
    }

    private struct State {
        var letters: [Letter] = []
        /// Questions for which code runs: neither answered nor waiting for the origin.
        var busy = 0
    }

    // Timelines hold widget code's values, which are of one thread at a time: this one gives them away.
    private struct UncheckedState: @unchecked Sendable {
        var state = State()
    }

    private let state = Mutex(UncheckedState())
    private let wake: @Sendable () -> Void
    /// By how much the devices' clock is ahead of the system's, in seconds; on any thread.
    let clockShift: @Sendable () -> Double

    /// - Parameters:
    ///   - clockShift: by how much the devices' clock is ahead of the system's.
    ///   - wake: is called on any thread when something has come.
    init(
        clockShift: @escaping @Sendable () -> Double = { 0 },
        wake: @escaping @Sendable () -> Void
    ) {
        self.clockShift = clockShift
        self.wake = wake
    }

    func put(_ mail: FleetMail, _ question: ProviderQuestion, of device: Int) {
        nonisolated(unsafe) let letter = Letter(device: device, question: question, mail: mail)
        let isFirst = state.withLock { box in
            unsafe box.state.letters.append(letter)
            return box.state.letters.count == 1
        }
        if isFirst { wake() }
    }

    /// Everything that has come, in its order.
    func take() -> [Letter] {
        nonisolated(unsafe) var taken: [Letter] = []
        state.withLock { box in
            unsafe swap(&box.state.letters, &taken)
        }
        return unsafe taken
    }

    /// Questions for which code runs on other threads.
    var busy: Int { state.withLock { $0.state.busy } }

    fileprivate func count(busy change: Int) {
        state.withLock { $0.state.busy += change }
        if change < 0 { wake() }
    }
}

/// The device behind the code that answers one question.
final class AskedDevice: WidgetCenterDevice, OriginTransport {
    private let mailbox: FleetMailbox
    private let device: Int
    private let question: ProviderQuestion
    private let widgets: UncheckedWidgets
    private let isOnline: Bool
    private let token: Data?
    /// What downloads have brought, by their paths.
    private let downloads: [String: Data]
    /// Whether the code runs because a download is over.
    private let isDownload: Bool
    private let progress = Mutex(Progress())

    private struct UncheckedWidgets: @unchecked Sendable {
        let all: [WidgetInfo]
    }

    private struct Progress {
        /// Questions to the origin that have no answer yet; less than none while one is answered before
        /// it is counted.
        var fetches = 0
        var isAnswered = false
        /// Whether the code runs.
        var isBusy: Bool { !isAnswered && fetches <= 0 }
    }

    init(
        _ mailbox: FleetMailbox,
        device: Int,
        _ question: ProviderQuestion,
        widgets: [WidgetInfo],
        isOnline: Bool,
        token: Data?,
        downloads: [String: Data] = [:],
        isDownload: Bool = false
    ) {
        self.mailbox = mailbox
        self.device = device
        self.question = question
        self.widgets = UncheckedWidgets(all: widgets)
        self.isOnline = isOnline
        self.token = token
        self.downloads = downloads
        self.isDownload = isDownload
        mailbox.count(busy: 1)
    }

    deinit {
        // Code that drops what it was to call never answers.
        let wasBusy = progress.withLock { $0.isBusy }
        if wasBusy { mailbox.count(busy: -1) }
    }

    /// The code has answered.
    func answer(_ mail: FleetMail) {
        mailbox.put(mail, question, of: device)
        finish()
    }

    /// The code has answered with a timeline, whose dates are those of the system's clock.
    func answer(_ timeline: RenderableTimeline) {
        answer(.timeline(timeline, shift: mailbox.clockShift()))
    }

    /// The code has nothing more to say.
    func finish() {
        let wasBusy = progress.withLock { progress in
            defer { progress.isAnswered = true }
            return progress.isBusy
        }
        if wasBusy { mailbox.count(busy: -1) }
    }

    func currentWidgets() -> [WidgetInfo] { widgets.all }

    func reload(kind: String?) {
        mailbox.put(.request(kind: kind, isDownload: isDownload), question, of: device)
    }

    func download(_ path: String, identifier: String) {
        let mail = FleetMail.download(path: path, identifier: identifier)
        mailbox.put(mail, question, of: device)
    }

    func downloaded(_ path: String) -> Data? { downloads[path] }

    func pushInfo() -> WidgetPushInfo? { token.map { WidgetPushInfo(token: $0) } }

    func fetch(
        _ path: String,
        _ completion: @escaping @Sendable (Result<Data, OriginError>) -> Void
    ) {
        guard isOnline else { return completion(.failure(.offline)) }
        let letter = FleetMail.fetch(path: path) { result in
            self.change(fetches: -1)
            completion(result)
        }
        mailbox.put(letter, question, of: device)
        change(fetches: 1)
    }

    private func change(fetches: Int) {
        let busy = progress.withLock { progress in
            let was = progress.isBusy
            progress.fetches += fetches
            return (progress.isBusy ? 1 : 0) - (was ? 1 : 0)
        }
        if busy != 0 { mailbox.count(busy: busy) }
    }
}
