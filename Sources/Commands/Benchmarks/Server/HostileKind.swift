import ArgumentParser
import Basics
import Credentials
import FrameCodec
import Glibc
import LibuvLoop
import Platform

/// What a hostile sender sends: what costs the router as much work as possible.
enum HostileKind: String, CaseIterable, ExpressibleByArgument {
    /// Pushes with a list of 511 objects, for a rule with two equalities within one of them.
    case combinations
    /// Pushes with a long text, for wildcards that compare it again and again.
    case wildcards
    /// Devices with the largest configurations that are accepted.
    case configurations
    /// STATEs that name one widget thousands of times.
    case sight
    /// Frames that are refused.
    case refusals
    /// Connections that each say HELLO as another producer, and end.
    case hellos
    /// HELLOs with signed tokens whose headers have as many members as a HELLO has room for.
    case tokens
    /// HELLOs with wrong tokens to an app that lists a thousand.
    case credentials
    /// Devices with as many widgets and values as are accepted, each pair of which is a key.
    case values
    /// Requests over HTTP with queries as long as a head may be, and no credential.
    case queries
    /// CloudEvents with hundreds of thousands of members.
    case events = "cloud-events"
    /// 10,000 lines of 8 MB in one request, with a key.
    case lines
    /// Questions of an operator why a push does not match the widgets of a device.
    case explain
    /// Lists of origins for an operator.
    case origins
    /// SIGHUPs, for an app file of some MB that has not changed.
    case appFile = "app-file"
    /// App files of an operator, in turn with and without 12,000 apps of three kinds each.
    case kinds

    // MARK: - The app file

    /// An app that lists a thousand credentials.
    private static let crowded = "crowded"

    /// The app file, with the kinds that the frames are for, and with many more.
    static let apps = file(followedBy: ",\n\(others)")

    private static func file(followedBy others: String) -> String {
        """
        {"apps":[{"app":"\(BenchApp.name)",\(BenchApp.open),"kinds":[
        {"kind":"\(BenchApp.character)","budget":"unlimited","match":{"character":["${configuration.character}"]}},
        {"kind":"loot","budget":"unlimited","match":{"items":{"name":["${configuration.name}"],"rarity":["${configuration.rarity}"]}}},
        {"kind":"banner","budget":"unlimited","match":{"text":[{"wildcard":"${configuration.pattern}"}]}},
        {"kind":"pairs","budget":"unlimited","match":{"a":["${configuration.a}"],"b":["${configuration.b}"]}}]},
        {"app":"\(crowded)","publishers":[\(thousandCredentials)],"devices":"open",
        "kinds":[{"kind":"k","match":{"f":["v"]}}]}\(others)]}
        """
    }

    private static let thousandCredentials = (0..<1_000).map { number in
        let digits = String(number)
        let digest = String(repeating: "0", count: 64 - digits.count) + digits
        return #"{"id":"c-\#(number)","sha256":"\#(digest)"}"#
    }.joined(separator: ",")
    /// Apps that make the file long; each has an origin.
    private static let others = (0..<12_000).map { number in
        let kinds = (0..<3).map { kind in
            #"{"kind":"kind-\#(kind)","origin":"o","#
                + #""match":{"event":["e-\#(kind)"],"c":["${configuration.c}"]}}"#
        }.joined(separator: ",")
        return #"{"app":"com.other.\#(number)","devices":"open","#
            + #""origins":[{"origin":"o","perSecond":100}],"kinds":[\#(kinds)]}"#
    }.joined(separator: ",")

    /// The wildcards. All differ, because equal ones are evaluated only once.
    private static let patterns = (0..<40).map { number in
        "a*" + String(repeating: "a", count: 900 - number) + "b*a"
    }

    /// Registers the widgets that the pushes and STATEs are about.
    static func register(_ side: BenchSide, through gateways: Range<Int>) throws {
        var widgets = [
            ("loot", #"{"name":"sword","rarity":"rare"}"#, 1),
            (BenchApp.character, #"{"character":"nobody"}"#, 256),
        ]
        widgets += patterns.map { ("banner", #"{"pattern":"\#($0)"}"#, 1) }
        for (number, (kind, configuration, count)) in widgets.enumerated() {
            let frames = LoadGeneratorFrames.widgets(
                kind: kind,
                configuration: configuration,
                perDevice: count,
                device: "\(kind)-\(number)-######"
            )
            try side.register(frames, devices: 1, through: gateways.prefix(1))
        }
    }

    // MARK: - Frames and requests

    /// The frames that are sent over one connection; nil for other kinds.
    var frames: LoadGeneratorFrames? {
        switch self {
        case .combinations:
            let items = (0..<511).map { #"{"name":"n\#($0)","rarity":"r"}"# }
            return .pushes(#"{"items":[\#(items.joined(separator: ","))]}"#)
        case .wildcards:
            // A much longer text would be refused, because half of the wildcards would have to read
            // all of it.
            return .pushes(#"{"text":"\#(String(repeating: "a", count: 24_000))"}"#)
        case .configurations:
            let text = String(repeating: "x", count: 16_000)
            return .widgets(
                kind: BenchApp.character,
                configuration: #"{"character":"\#(text)"}"#,
                perDevice: 4,
                device: "h-######"
            )
        case .sight:
            let ids = repeatElement(#""w-000001""#, count: 5_900).joined(separator: ",")
            return .body(
                .state,
                text: #"{"device":"\#(BenchApp.character)-000000","visible":[\#(ids)]}"#
            )
        case .refusals: return .body(.widgets, text: "x")
        case .values:
            func list(_ letter: String) -> String {
                "[" + (0..<14).map { #""\#(letter)-######-\#($0)""# }.joined(separator: ",") + "]"
            }
            return .widgets(
                kind: "pairs",
                configuration: #"{"a":\#(list("a")),"b":\#(list("b"))}"#,
                perDevice: 73,
                device: "p-######"
            )
        default: return nil
        }
    }

    /// The requests that are sent in turn, and the port; nil for other kinds.
    private func requests(to target: HostileTarget) -> (port: UInt16, bytes: [[UInt8]])? {
        let path = "/v1/apps/\(BenchApp.name)/pushes"
        let authorization = RequestGenerator.authorization(target.adminPort)
        switch self {
        case .queries:
            // As long as a request line may be, and of as many parameters.
            let query = (0..<1_800).map { "p\($0)=%41" }.joined(separator: "&")
            let path = "/v1/apps/nobody/pushes?\(query)"
            return (target.publishPort, [RequestGenerator.post(path, body: "{}")])
        case .events:
            let members = (0..<300_000).map { #""m\#($0)":{"v":[\#($0)]}"# }
            let body =
                #"{"specversion":"1.0","id":"1","source":"/hostile","type":"t","#
                + #""data":{\#(members.joined(separator: ","))}}"#
            let type = "application/cloudevents+json"
            return (target.publishPort, [RequestGenerator.post(path, type: type, body: body)])
        case .lines:
            let note = String(repeating: "x", count: 750)
            let lines = (0..<10_000).map { #"{"event":"e-\#($0)","note":"\#(note)"}"# }
            // Always the same key: what was counted is not pushed again, but read and compared.
            let request = RequestGenerator.post(
                path,
                type: "application/x-ndjson",
                headers: "Idempotency-Key: \"hostile\"\r\n",
                body: lines.joined(separator: "\n")
            )
            return (target.publishPort, [request])
        case .explain:
            let fields = (0..<400).map { #""f\#($0)":"a\#($0)""# }.joined(separator: ",")
            let body =
                #"{"app":"\#(BenchApp.name)","device":"\#(BenchApp.character)-1-000000","#
                + #""payload":{"character":"nobody",\#(fields)}}"#
            let request = RequestGenerator.post("/v1/explain", headers: authorization, body: body)
            return (target.adminPort, [request])
        case .origins:
            let request = RequestGenerator.get("/v1/origins?limit=250", port: target.adminPort)
            return (target.adminPort, [request])
        case .kinds:
            let files = [Self.file(followedBy: ""), Self.apps].map { file in
                RequestGenerator.post(
                    "/v1/app-file",
                    method: "PUT",
                    headers: authorization,
                    body: file
                )
            }
            return (target.adminPort, files)
        default: return nil
        }
    }

    /// The HELLO that each connection says; nil for other kinds.
    private var hello: HelloMessage? {
        var hello = HelloMessage(role: .publisher, app: BenchApp.name, token: nil, name: nil)
        switch self {
        case .hellos: break
        case .credentials:
            hello.app = Self.crowded
            hello.token = Secret(String(repeating: "t", count: 43))
        case .tokens:
            let members = (0..<230).map { #""m\#($0)":0"# }.joined(separator: ",")
            let header = encodeBase64URL(#"{"alg":"HS256","kid":"key",\#(members)}"#.utf8)
            let claims = encodeBase64URL(#"{"sub":"nobody"}"#.utf8)
            hello.token = Secret("\(header).\(claims).\(String(repeating: "A", count: 43))")
        default: return nil
        }
        return hello
    }

    // MARK: - Sending

    /// A load under way: how much was sent or answered, and what ends it.
    struct Load {
        let count: () -> Int
        let stop: () throws -> Void
    }

    /// Begins to send, as fast as the router reads.
    func start(on bench: BenchLoop, against target: HostileTarget) throws -> Load {
        if self == .appFile {
            let signals = try HostileSignals(to: target.process, on: bench)
            return Load(count: { signals.count }, stop: { signals.stop() })
        }
        if let requests = requests(to: target) {
            let generator = try RequestGenerator(bench, to: requests.port) { number in
                requests.bytes[number % requests.bytes.count]
            }
            try generator.connect(4)
            return Load(count: { generator.answerCount }, stop: generator.stop)
        }
        if let frames {
            // They are encoded before, because a `ClientSession` would never send most of them.
            let generator = try LoadGenerator(bench, port: target.port, wire: .router)
            generator.failsAtRejection = false
            // A few hundred KB are under way.
            let window = max(8, min(4_096, 400_000 / frames.frameBytes))
            let isOfDevices = [.configurations, .sight, .refusals, .values].contains(self)
            let role: Peer = isOfDevices ? .gateway : .publisher
            _ = try generator.connect(1, as: role, window: window) { _ in newName }
            generator.start(0, sending: frames, to: .every(1, from: 0))
            return Load(count: { generator.acknowledged }, stop: generator.closeAll)
        }
        guard var hello else { throw BenchFailure("there is nothing to send for \(rawValue)") }
        let generator = try RequestGenerator(bench, to: target.port, endsWithAnswer: true) { _ in
            hello.name = newName
            return encodeFrame(.hello, seq: 0, body: hello.encoded)
        }
        try generator.connect(16)
        return Load(count: { generator.answerCount }, stop: generator.stop)
    }

    /// A name that is new each time: a known producer would have to continue after its last push.
    private var newName: String { "\(rawValue)-\(ExactTime.now.rawValue)" }
}

/// The router that a hostile sender is against.
struct HostileTarget {
    let port: UInt16
    let publishPort: UInt16
    let adminPort: UInt16
    let process: Int32
}

/// Makes a router read its app file again, some times a second.
final class HostileSignals: TimerOwner {
    private let process: Int32
    private var timer: LoopTimer?
    /// The number of signals sent.
    private(set) var count = 0

    init(to process: Int32, on bench: BenchLoop) throws {
        self.process = process
        bench.keep(self)
        timer = try LoopTimer(bench.loop, owner: self)
        try timer?.start(after: .milliseconds(1), repeating: .milliseconds(500))
    }

    func timerFired(_ timer: LoopTimer) {
        count += 1
        kill(process, SIGHUP)
    }

    /// Sends no more.
    func stop() { timer?.close() }
}
