import APNsMock
import APNsProtocol
import Basics
import CommandSupport
import Cryptography
import Glibc

/// The file in which a mock of APNs writes down its requests, a line of JSON each.
///
///     {"token":"00ff","topic":"com.mygame.push-type.widgets",…,"status":410,"reason":"Unregistered"}
final class MockRequestLog {
    private let descriptor: CInt

    /// Opens a file, to which lines are appended.
    ///
    /// - Throws: `SettingsProblem` with the system's reason.
    init(_ path: String) throws(SettingsProblem) {
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        if descriptor < 0 {
            throw SettingsProblem("--requests \(path): \(unsafe String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Appends a request; a full disk loses it.
    func put(_ request: MockRequest, answer: MockAnswer?) {
        let line = JSONWriter.object { json in
            json.member("token", value: request.token)
            json.member("topic", value: request.topic)
            json.member("type", value: request.pushType)
            json.member("priority", value: request.priority)
            json.member("expiration", value: request.expiration)
            json.member("id", value: request.id)
            json.member("payload", value: String(decoding: request.body, as: UTF8.self))
            json.member("certificate", value: request.hasCertificate)
            json.member("authorization", value: request.authorization != nil)
            json.member("providerToken", value: digest(of: request.authorization))
            json.member("status", value: answer?.status)
            json.member("reason", value: answer?.reason?.rawValue)
            json.member("why", value: answer?.why)
        }
        _ = writeAll(line + [0x0a], to: descriptor)
    }

    /// By what people see that a provider token is another one; nil for none.
    private func digest(of authorization: String?) -> String? {
        authorization.map { text in
            Array(text.utf8).withByteView { SHA256.digest($0).hexadecimal }
        }
    }
}
