// A device of tests, which reports with ReloadRouterKit what its input says: an object of JSON a
// line, and for each of them a line with what came of it. Calls that take long overlap, and their
// answers have the line's `id`.
//
//     kit-device URL APP DEVICE FOLDER TOKEN-FILE
//
// FOLDER remembers the registration; TOKEN-FILE has the credential, and is read whenever the
// reporter asks for it.
internal import Foundation
internal import ReloadRouterKit

/// A widget of a line; without an id, the kit names it.
struct Widget: Decodable, Sendable {
    var id: String?
    let kind: String
    var family: String?
    var configuration: [String: ConfigurationValue]?

    /// The widget as an app makes it.
    var reported: ReportedWidget {
        ReportedWidget(
            id: id,
            kind: kind,
            family: family,
            configuration: configuration ?? [:]
        )
    }
}

/// A line of the input.
struct Command: Decodable, Sendable {
    let id: Int
    /// `register`, `refresh`, `report`, `request` or `update`.
    let call: String
    var widgets: [Widget]?
    var pushToken: String?
    var environment: PushEnvironment?
    var widget: String?
    var kind: String?
    var configuration: [String: ConfigurationValue]?
    /// In seconds since 1970.
    var entries: [Double]?
    var after: Double?
    var foreground: Bool?
    var visible: [String]?
}

/// A line of the output.
struct Outcome: Encodable {
    let id: Int
    var sent: Bool?
    /// The date for `after(_:)`, in seconds since 1970.
    var date: Double?
    var error: String?
    var isTemporary: Bool?
}

/// The bytes of hexadecimal digits.
func bytes(_ digits: String) -> Data {
    let digits = Array(digits)
    return Data(
        stride(from: 0, to: digits.count, by: 2).compactMap { index in
            UInt8(String(digits[index...].prefix(2)), radix: 16)
        }
    )
}

extension DeviceReporter {
    /// Does what a command says.
    func perform(_ command: Command) async -> Outcome {
        var outcome = Outcome(id: command.id)
        do throws(ReportError) {
            switch command.call {
            case "register":
                outcome.sent = try await register(
                    (command.widgets ?? []).map(\.reported),
                    pushToken: command.pushToken.map(bytes),
                    environment: command.environment ?? .production
                )
            case "refresh": outcome.sent = try await refresh()
            case "report": outcome.date = try await report(command)?.timeIntervalSince1970
            case "request": try await request(kind: command.kind)
            case "update":
                try await update(foreground: command.foreground, visible: command.visible)
            default: throw .invalid("there is no call \(command.call)")
            }
        } catch {
            outcome.error = "\(error)"
            outcome.isTemporary = error.isTemporary
        }
        return outcome
    }

    private func report(_ command: Command) async throws(ReportError) -> Date? {
        let entries = (command.entries ?? []).map(Date.init(timeIntervalSince1970:))
        let policy = command.after.map { ReloadPolicy.after(Date(timeIntervalSince1970: $0)) }
        if let widget = command.widget {
            return try await report(
                timelineOf: widget,
                entries: entries,
                policy: policy ?? .atEnd
            )
        }
        return try await report(
            timelineOfKind: command.kind ?? "",
            configuration: command.configuration ?? [:],
            entries: entries,
            policy: policy ?? .atEnd
        )
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 6, let url = URL(string: arguments[1]) else {
    FileHandle.standardError.write(
        Data("usage: kit-device URL APP DEVICE FOLDER TOKEN-FILE\n".utf8)
    )
    exit(64)
}
let tokenFile = arguments[5]
let reporter = DeviceReporter(
    url: url,
    app: arguments[2],
    device: arguments[3],
    storage: .folder(URL(fileURLWithPath: arguments[4])),
    token: { try String(contentsOfFile: tokenFile, encoding: .utf8) }
)
await withTaskGroup { group in
    while let line = readLine() {
        let command: Command
        do {
            command = try JSONDecoder().decode(Command.self, from: Data(line.utf8))
        } catch {
            FileHandle.standardError.write(Data("\(error): \(line)\n".utf8))
            exit(65)
        }
        group.addTask {
            let outcome = await reporter.perform(command)
            do {
                let data = try JSONEncoder().encode(outcome)
                FileHandle.standardOutput.write(data + Data("\n".utf8))
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(70)
            }
        }
    }
}
