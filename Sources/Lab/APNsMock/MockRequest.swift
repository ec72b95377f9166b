/// What the mock looks at in a request.
package struct MockRequest: Sendable {
    /// The method.
    package var method = ""
    /// The path.
    package var path = ""
    /// The provider token, after `bearer`.
    package var authorization: String?
    /// The field `apns-push-type`.
    package var pushType: String?
    /// The field `apns-topic`.
    package var topic: String?
    /// The field `apns-priority`.
    package var priority: String?
    /// The field `apns-expiration`.
    package var expiration: String?
    /// The field `apns-id`.
    package var id: String?
    /// The field `apns-collapse-id`.
    package var collapseID: String?
    /// The payload.
    package var body: [UInt8] = []
    /// Whether the client has shown a certificate of the authorities that the mock trusts.
    package var hasCertificate = false
    /// A field that comes more than once.
    package var repeatedField: String?

    /// An empty request.
    package init() {}

    /// What the push does; nil if it does not say so, or nothing that is known.
    var type: MockPushType? { pushType.flatMap { MockPushType(rawValue: $0) } }

    /// The device's token, if the path has one.
    package var token: String? {
        let prefix = "/3/device/"
        guard path.hasPrefix(prefix), path.utf8.count > prefix.utf8.count else { return nil }
        return String(path.dropFirst(prefix.count))
    }
}
