public import ArgumentParser
import Basics
import CommandSupport
import Platform
public import ReloadRouterClient

/// The options of `device` for what it sends besides registrations: timelines and reload requests.
struct DeviceTimelines: ParsableArguments {
    @Flag(help: "Answer each reload with a timeline, described by --entries and --policy.")
    var answer = false

    @Option(
        help: "Send a timeline for each widget once it is registered, with this reason.",
        of: "reason"
    )
    var because: UnaskedReason?

    @Option(help: "The entries of timelines, in seconds from now.", of: "seconds,…")
    var entries = EntryOffsets(lengths: [.zero])

    @Option(help: "The policy of timelines: never, atEnd or after:SECONDS, from now.")
    var policy = PolicyOption.never

    @Flag(help: "State that the device's own timer reloads at the date that the router sends.")
    var ownTimer = false

    @Option(
        help: "Request a reload of a kind, or of all kinds, once the widgets are registered.",
        of: "kind|all"
    )
    var request: String?

    @Flag(help: "State that the --request follows a finished download.")
    var downloaded = false

    func validate() throws {
        let sendsTimelines = answer || because != nil
        if !sendsTimelines && (ownTimer || policy != .never || entries.lengths != [.zero]) {
            throw ValidationError(
                "--entries, --policy and --own-timer require --answer or --because"
            )
        }
        if downloaded && request == nil { throw ValidationError("--downloaded requires --request") }
    }

    /// Sends the timelines and requests that are due once the widgets are registered.
    func begin(_ registrations: DeviceRegistrations, with session: DeviceClient) async {
        for body in registrations.bodies {
            if because != nil {
                for widget in DeviceRegistrations.widgets(in: body.json) {
                    await send(nil, device: body.device, widget: widget, with: session)
                }
            }
            guard let request else { continue }
            do throws(ClientError) {
                try await session.request(
                    kind: request == "all" ? nil : request,
                    device: body.device,
                    isDownload: downloaded
                )
            } catch {
                writeStandardError("request of \(body.device): \(error)\n")
            }
        }
    }

    /// Answers a reload with a timeline for each of its widgets, if `--answer` is given.
    func answer(_ reload: ReloadEvent, with session: DeviceClient) async {
        if !answer { return }
        for widget in reload.widgets {
            await send(reload, device: reload.device, widget: widget, with: session)
        }
    }

    private func send(
        _ reload: ReloadEvent?,
        device: String,
        widget: String,
        with session: DeviceClient
    ) async {
        let now = WallTime.now
        do throws(ClientError) {
            let scheduled = try await session.answer(
                reload: reload,
                device: device,
                widget: widget,
                entries: entries.lengths.map { (now + $0).rawValue },
                policy: policy.policy(now),
                because: because,
                ownTimer: ownTimer
            )
            guard let scheduled else { return }
            let warning = scheduled.warning.map { ", warning \($0)" } ?? ""
            writeStandardError(
                "widget \(widget) of \(device): reload at \(scheduled.reloadAt), "
                    + "slot delay \(scheduled.slotDelay) ms\(warning)\n"
            )
        } catch {
            writeStandardError("widget \(widget) of \(device): \(error)\n")
        }
    }
}

extension UnaskedReason: ExpressibleByArgument {}

/// The times of a timeline's entries, in seconds from now: `0,3600`. They must ascend, which the
/// router checks.
struct EntryOffsets: ExpressibleByArgument, Equatable {
    var lengths: [Milliseconds]

    init(lengths: [Milliseconds]) { self.lengths = lengths }

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        lengths = parts.compactMap { Milliseconds(secondsFromNow: $0) }
        if lengths.count != parts.count { return nil }
    }

    var defaultValueDescription: String { "0" }
}

/// The policy of a timeline on the command line: `never`, `atEnd` or `after:SECONDS`.
enum PolicyOption: ExpressibleByArgument, Equatable {
    case never
    case atEnd
    /// Reload this long from now.
    case after(Milliseconds)

    init?(argument: String) {
        if argument == "never" {
            self = .never
        } else if argument == "atEnd" {
            self = .atEnd
        } else if argument.hasPrefix("after:"),
            let length = Milliseconds(secondsFromNow: argument.dropFirst(6))
        {
            self = .after(length)
        } else {
            return nil
        }
    }

    var defaultValueDescription: String { "never" }

    /// The policy with its date, measured from `now`.
    func policy(_ now: WallTime) -> ReloadPolicy {
        switch self {
        case .never: .never
        case .atEnd: .atEnd
        case .after(let length): .after((now + length).rawValue)
        }
    }
}

extension Milliseconds {
    /// Reads a length of time from the command line, in whole seconds: nil if the text is no number
    /// or if it is outside 0 to a hundred years.
    fileprivate init?(secondsFromNow text: Substring) {
        let limit = Milliseconds.days(36_525).wholeSeconds
        guard let seconds = Int64(text), (0...limit).contains(seconds) else { return nil }
        self = .seconds(seconds)
    }
}
