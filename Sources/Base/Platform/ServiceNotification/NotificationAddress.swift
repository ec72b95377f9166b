/// The socket address of a service manager, from `$NOTIFY_SOCKET`.
package struct NotificationAddress: Equatable, Sendable {
    /// The longest name that the system allows, in bytes: one less than `sun_path` has.
    package static var byteLimit: Int { 107 }

    /// The content of `sun_path`; the name of an abstract socket begins with a 0.
    let bytes: [UInt8]

    /// Whether it names an abstract socket rather than a file.
    package var isAbstract: Bool { bytes[0] == 0 }

    /// Parses the value of `$NOTIFY_SOCKET`.
    ///
    /// - Parameter text: an absolute path, or `@` followed by the name of an abstract socket.
    /// - Throws: `NotificationError.address` for anything else.
    package init(_ text: String) throws(NotificationError) {
        var bytes = Array(text.utf8)
        let isNamed = bytes.first == UInt8(ascii: "/") || bytes.first == UInt8(ascii: "@")
        guard isNamed, bytes.count > 1, bytes.count <= Self.byteLimit, !bytes.contains(0) else {
            throw .address(text)
        }
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        self.bytes = bytes
    }
}
