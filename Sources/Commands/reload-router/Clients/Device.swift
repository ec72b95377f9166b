import ArgumentParser
import CommandSupport
import Glibc
import ReloadRouterClient

/// `device`: registers widgets, as a device would, and prints each reload that the router sends.
struct Device: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Register widgets and print each reload.",
        discussion: """
            Speaks for one device, or, with --gateway or widgets of several devices, for many. \
            Reloads go to standard output, one per line: readable text on a terminal, otherwise \
            the JSON of the frame. Reconnects automatically. Exit status: 0 after --count reloads, \
            1 if widgets are refused, 2 if there is no connection.
            """
    )

    @OptionGroup var client: ClientOptions

    @Option(help: "The device to speak for.")
    var device: String?

    @Option(help: "JSON Lines file: one body of a WIDGETS frame per line.", of: .file("jsonl"))
    var widgets: String?

    @Option(
        help: "A widget of --device; may be repeated. Values are text unless they are a number, "
            + "true or false.",
        of: "kind:id:name=value,…"
    )
    var widget: [String] = []

    @Flag(help: "Speak for many devices, with a gateway token.")
    var gateway = false

    @Option(help: "Exit after this many reloads.", of: "reloads")
    var count: Int?

    @OptionGroup var timelines: DeviceTimelines

    @Flag(help: "Print JSON on a terminal too.")
    var json = false

    @Flag(help: "Say on standard output, and not on standard error, that all is registered.")
    var announce = false

    func validate() throws {
        if !widget.isEmpty && device == nil { throw ValidationError("--widget requires --device") }
        if device == nil && widgets == nil && !gateway {
            throw ValidationError("give --device, or --widgets, or --gateway")
        }
        if let count, count < 1 { throw ValidationError("--count is \(count); it must be above 0") }
    }

    func run() async throws {
        let registrations = try DeviceRegistrations(device: device, file: widgets, specs: widget)
        let session: DeviceClient
        do {
            session = try await connect(as: registrations.role(isGateway: gateway))
        } catch {
            report("device", error: error, options: client)
            throw ExitStatus.disconnected
        }
        try await register(registrations, with: session)
        await timelines.begin(registrations, with: session)
        try await printReloads(of: session)
    }

    private func connect(as role: DeviceRole) async throws -> DeviceClient {
        let (address, app, token) = (client.to, client.app, client.effectiveToken)
        let tokens = client.tokens
        let security = try client.protection.security()
        return try await FirstConnection(to: address).open { () throws(ClientError) in
            try await DeviceClient.connect(
                to: address,
                app: app,
                token: token,
                tokens: tokens,
                role: role,
                security: security,
                limits: FirstConnection.limits,
                onChange: reportChange("device"),
                onRegistrationLost: { device, rejection in
                    writeStandardError("widgets of \(device): \(rejection)\n")
                }
            )
        }
    }

    /// Registers all devices, a limited number at a time.
    ///
    /// - Throws: `ExitStatus`, after all have been tried, if one failed.
    private func register(
        _ registrations: DeviceRegistrations,
        with session: DeviceClient
    ) async throws {
        let failed = await withTaskGroup(of: ClientError?.self) { group -> ClientError? in
            var first: ClientError?
            for (index, body) in registrations.bodies.enumerated() {
                if index >= Self.registrationsAtATime, let error = await group.next() {
                    first = first ?? error
                }
                group.addTask {
                    do throws(ClientError) {
                        try await session.register(widgetsBody: body.json)
                        return nil
                    } catch {
                        writeStandardError("\(body.location): \(error)\n")
                        return error
                    }
                }
            }
            for await error in group { first = first ?? error }
            return first
        }
        if let failed { throw failed.isRefusal ? ExitStatus.refused : ExitStatus.disconnected }
        let devices = registrations.bodies.count
        let sentence = "registered \(counted(devices, noun: "device"))"
        if announce {
            printLine(isForPeople ? sentence : "{\"registered\":\(devices)}")
        } else if devices > 0 {
            writeStandardError("\(sentence)\n")
        }
    }

    /// The most registrations that may be unanswered at a time.
    private static var registrationsAtATime: Int { 256 }

    /// Prints reloads until `count` have come or the session ends.
    private func printReloads(of session: DeviceClient) async throws {
        var left = count
        for await reload in session.reloads {
            printLine(
                isForPeople ? Self.line(reload) : String(decoding: reload.body, as: UTF8.self)
            )
            await timelines.answer(reload, with: session)
            if let before = left {
                left = before - 1
                if before == 1 { return session.close() }
            }
        }
        report("device", error: session.failure ?? .closed, options: client)
        throw ExitStatus.disconnected
    }

    private var isForPeople: Bool { !json && isatty(STDOUT_FILENO) == 1 }

    /// Formats a reload with its local time, its kinds, its widgets and its inlined values.
    ///
    ///     12:03:04  anna-phone  push  com.mygame.character-detail  w1, w2  w1 {"hp":30}
    private static func line(_ reload: ReloadEvent) -> String {
        let now = Int64(time(nil))
        let clock = LocalTime.text(now * 1_000, now: now)
        let kinds = reload.kinds.joined(separator: ", ")
        let widgets = reload.widgets.joined(separator: ", ")
        let values = reload.widgets.compactMap { widget in
            reload.values?[widget].map { "  \(widget) \($0)" }
        }
        return "\(clock)  \(reload.device)  \(reload.cause)  \(kinds)  \(widgets)"
            + values.joined()
    }
}

extension ClientError {
    /// True if the fault lies in what was sent, and not in the connection.
    var isRefusal: Bool {
        switch self {
        case .rejected, .tooLong, .bodyInvalid, .limitReached: true
        default: false
        }
    }
}
