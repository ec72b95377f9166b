internal import Cryptography
internal import Glibc
internal import LibuvLoop

/// What a server of HTTP is for, as its errors say it.
package struct HTTPServerPurpose: Sendable {
    private let name: String
    private let advice: String
    private let files: String

    /// - Parameters:
    ///   - name: what follows the address, such as ` for the admin server`.
    ///   - advice: what follows the reason why the address cannot be bound, from its semicolon on.
    ///   - files: the settings that name the certificates.
    package init(_ name: String = "", advice: String = "", files: String = "certificates") {
        self.name = name
        self.advice = advice
        self.files = files
    }

    /// The address cannot be bound, or the system lacks descriptors or memory.
    func error(_ cause: UVError, at address: ListeningAddress) -> HTTPServerError {
        let reason = unsafe String(cString: strerror(-cause.code))
        return HTTPServerError(
            description: "cannot listen on \(address)\(name): \(reason)\(advice)"
        )
    }

    /// A certificate or a key is not usable.
    func error(_ cause: TLSError) -> HTTPServerError {
        HTTPServerError(description: "\(files): \(cause)")
    }

    /// What begins TLS sessions that speak HTTP/1.
    func context(_ security: ServerSecurity) throws(HTTPServerError) -> TLSServerContext {
        do throws(TLSError) {
            return try TLSServerContext(security, protocols: ["http/1.1"])
        } catch {
            throw self.error(error)
        }
    }
}

/// Why a server of HTTP cannot serve.
package struct HTTPServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reason, as a sentence.
    package let description: String
}
