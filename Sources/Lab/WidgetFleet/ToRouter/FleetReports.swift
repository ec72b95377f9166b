internal import Basics
internal import Foundation
internal import FrameCodec
internal import HTTPFetching
internal import HTTPMessages
internal import LibuvLoop
internal import ReloadRouterClient

/// Sends the frames of devices that hold no session as requests over HTTP (protocol/http.md,
/// section 5), those of a device one after the other.
///
///     frame ─► the device's queue ─► PUT, POST ─► answered ─► the next of the device
///                      ▲                  └─ 429, 503, no answer ─► after a pause, the same
///                      └──────────────────────────────────────────────┘
final class FleetReports {
    private struct Report {
        let frame: DeviceFrame
        let widget: Int?
    }

    /// The most requests under way: the router has 1,200 connections for all its clients.
    private static var connections: Int { 256 }
    /// The pause before a report is sent again, unless the router states one; a random part of as
    /// much is added.
    private static var pause: Milliseconds { .milliseconds(500) }

    private let client: HTTPClient
    private let url: String
    private let app: String
    private let headers: [String]
    private var random: SplitMix64
    /// For each device the reports that have no answer. The first one is under way, or is sent
    /// again after a pause.
    private var queues: [Int: [Report]] = [:]
    /// Devices whose first report is sent again, and when.
    private var pauses: [(due: WallTime, device: Int)] = []
    /// Reports that were answered.
    private(set) var answeredCount = 0
    private var hasAnswer = false
    private var isClosed = false
    private var now = WallTime.zero
    private unowned let fleet: SocketFleet

    /// The fleet receives the answers; `url` is the router's listener for publishers and devices.
    init(_ fleet: SocketFleet, url: String) {
        var limits = HTTPClientLimits()
        limits.connections = Self.connections
        limits.waiting = .max
        client = HTTPClient(fleet.loop, limits: limits)
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        let settings = fleet.settings
        app = RouterInquiry.escaped(settings.scenario.app)
        let token = settings.deviceToken.map { ["Authorization: Bearer \($0)"] } ?? []
        headers = ["Content-Type: application/json"] + token
        random = SplitMix64(seed: settings.seed, stream: 1 << 43)
        self.fleet = fleet
    }

    /// True if every report has its answer.
    var isIdle: Bool { queues.isEmpty }

    /// Sends a frame of a device, after those before.
    func send(_ frame: DeviceFrame, of device: Int, widget: Int?) {
        let report = Report(frame: frame, widget: widget)
        if queues[device, default: []].isEmpty {
            queues[device] = [report]
            send(device)
        } else {
            queues[device]?.append(report)
        }
    }

    /// Sends again what has waited for it.
    func tick(at now: WallTime) {
        self.now = now
        if pauses.isEmpty { return }
        let due = pauses.filter { $0.due <= now }
        if due.isEmpty { return }
        pauses.removeAll { $0.due <= now }
        for (_, device) in due { send(device) }
    }

    func close() {
        isClosed = true
        client.close()
    }

    private func send(_ device: Int) {
        guard !isClosed, let report = queues[device]?.first else { return }
        let name = RouterInquiry.escaped(report.frame.device)
        let call = HTTPCall(
            "\(url)/v1/apps/\(app)/devices/\(name)/\(report.frame.resource)",
            method: report.frame.type == .widgets ? "PUT" : nil,
            body: report.frame.body,
            headers: headers
        )
        client.send(call) { [unowned self] in answered($0, device: device) }
    }

    private func answered(_ result: Result<HTTPAnswer, HTTPFetchError>, device: Int) {
        guard let report = queues[device]?.first else { return }
        switch result {
        case .failure(.closed): return
        case .failure(let error):
            if !hasAnswer { return fleet.fail(FleetError("\(url): \(error)")) }
            return pause(device, seconds: nil)
        case .success(let reply) where [408, 409, 429, 503].contains(reply.status):
            hasAnswer = true
            return pause(device, seconds: reply.retryAfterSeconds)
        case .success(let reply):
            hasAnswer = true
            answered(report, of: device, by: reply)
        }
        queues[device]?.removeFirst()
        if queues[device]?.isEmpty == true { queues[device] = nil } else { send(device) }
    }

    private func answered(_ report: Report, of device: Int, by reply: HTTPAnswer) {
        answeredCount += 1
        if (200...299).contains(reply.status) {
            var scheduled: ScheduledReload?
            if report.frame.type == .timeline && !reply.body.isEmpty {
                scheduled = try? reply.body.withByteView { (body) throws(ProtocolError) in
                    try ScheduledReload(body)
                }
            }
            return fleet.reported(scheduled, device: device, widget: report.widget)
        }
        let problem = try? JSONDecoder().decode(RefusalBody.self, from: Data(reply.body))
        let rejection = Rejection(
            seq: 0,
            code: problem?.code ?? "\(reply.status)",
            message: problem?.detail ?? "the router answers \(reply.status)"
        )
        if reply.status == 401 {
            return fleet.fail(FleetError("the router refuses the devices: \(rejection)"))
        }
        fleet.reportRefused(rejection)
    }

    private func pause(_ device: Int, seconds: Int?) {
        let least = seconds.map { Milliseconds.seconds(Int64($0)) } ?? Self.pause
        let more = Int64.random(in: 0...Self.pause.rawValue, using: &random)
        pauses.append((now + least + .milliseconds(more), device))
    }
}

/// What the router says of a request that it refuses.
private struct RefusalBody: Decodable {
    let code: String?
    let detail: String?
}

extension DeviceFrame {
    /// The last part of the path of a request that stands for the frame.
    fileprivate var resource: String {
        switch type {
        case .widgets: "widgets"
        case .timeline: "timelines"
        case .state: "state"
        default: "requests"
        }
    }
}
