/// Where a service manager listens: what `$NOTIFY_SOCKET` names.
package struct NotificationAddress: Equatable, Sendable {
    /// As many bytes of a name as the system takes, one less than `sun_path` has.
    package static var byteLimit: Int { 107 }

    /// As `sun_path` has it: the name of an abstract socket begins with a 0.
    let bytes: [UInt8]

    /// Whether it is a name of its own, and no file.
    package var isAbstract: Bool { bytes[0] == 0 }

    /// - Parameter text: a path from the root on, or `@` and the name of an abstract socket.
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
