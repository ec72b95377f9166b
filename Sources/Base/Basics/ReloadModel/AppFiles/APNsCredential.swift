/// By what an app proves itself to Apple's push service.
package enum APNsCredential: Hashable, Sendable {
    /// A key of the team, which signs provider tokens; both by their ids.
    case key(String, team: String)
    /// A certificate of the app, which is shown when a connection begins; the name of its file.
    case certificate(String)

    /// The longest name of a certificate.
    package static var longestName: Int { 64 }
}
