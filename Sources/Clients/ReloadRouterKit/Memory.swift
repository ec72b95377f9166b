internal import Foundation

/// What a reporter remembers, in the storage that all processes of the app share.
///
/// The widgets and the push token have keys of their own: a process that knows only the widgets
/// cannot erase the token that another one has stored.
struct Memory: Sendable {
    /// The keys under which something is remembered.
    enum Key: String {
        case widgets, push, appPush, confirmed, dates, pause
    }

    let storage: ReportStorage

    /// The widgets that are to be registered; nil before the first registration.
    var widgets: [ReportedWidget]? { load(.widgets) }
    /// The push token that is to be registered with them.
    var push: PushTarget? { load(.push) }
    /// The app's own push token.
    var appPush: PushTarget? { load(.appPush) }
    /// The last registration that the router has confirmed.
    var confirmed: ConfirmedRegistration? { load(.confirmed) }
    /// The dates of widgets' last timelines, by the widgets' ids.
    var dates: [String: Date] { load(.dates) ?? [:] }
    /// The date before which the router asks to be left alone.
    var pauseEnd: Date? { load(.pause) }

    /// What is to be registered; nil before the first registration.
    var registration: Registration? {
        widgets.map {
            Registration(
                widgets: $0,
                pushToken: push?.token,
                appPushToken: appPush?.token,
                environment: push?.environment ?? appPush?.environment
            )
        }
    }

    private func load<Value: Decodable>(_ key: Key) -> Value? {
        storage.load(key.rawValue).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
    }

    /// Remembers a value in the place of the one before.
    func save(_ value: some Encodable, at key: Key) throws(ReportError) {
        let data: Data
        do {
            data = try JSONEncoder().encode(value)
        } catch {
            throw .invalid("a value is no number of JSON: \(error)")
        }
        do {
            try storage.save(data, key.rawValue)
        } catch let error as ReportError {
            throw error
        } catch {
            throw .storageFailing("\(error)")
        }
    }
}

/// The body of WIDGETS.
struct Registration: Codable, Equatable, Sendable {
    let widgets: [ReportedWidget]
    let pushToken: String?
    let appPushToken: String?
    let environment: PushEnvironment?
}

/// By what APNs reaches the device.
struct PushTarget: Codable, Equatable, Sendable {
    /// The push token, in hexadecimal digits.
    let token: String
    let environment: PushEnvironment
}

extension Data {
    /// The bytes as hexadecimal digits, as push tokens are given to APNs.
    var hexadecimal: String {
        map { (byte: UInt8) in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}

/// A registration that a router has confirmed.
struct ConfirmedRegistration: Codable, Equatable, Sendable {
    let registration: Registration
    /// Of which device, at which router.
    let destination: String
    let date: Date
}
