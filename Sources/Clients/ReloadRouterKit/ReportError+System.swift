internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension ReportError {
    /// Judges an error of `URLSession`.
    init(_ error: URLError) {
        let reason = error.localizedDescription
        self =
            switch error.code {
            case .cancelled: .cancelled
            case .badURL, .unsupportedURL: .invalid(reason)
            // Linux has no codes of its own for these: there it is `unknown`, with the reason.
            case .serverCertificateHasBadDate, .serverCertificateUntrusted,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
                .clientCertificateRejected, .clientCertificateRequired,
                .appTransportSecurityRequiresSecureConnection:
                .untrusted(reason)
            case .unknown where reason.contains("certificate"): .untrusted(reason)
            default: .unreachable(reason)
            }
    }
}

extension URLError {
    /// Whether the connection failed before a request could be sent.
    var isBeforeRequest: Bool {
        switch code {
        case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
            .secureConnectionFailed, .internationalRoamingOff, .dataNotAllowed, .callIsActive:
            true
        default: false
        }
    }
}
