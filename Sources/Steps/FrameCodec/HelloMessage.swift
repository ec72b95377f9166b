package import Basics

/// The body of HELLO: which client connects, in which role, for which app.
package struct HelloMessage: Equatable, Sendable {
    /// The role in which the client connects.
    package var role: Peer
    /// The id of the app for which the client connects.
    package var app: String
    /// The token that the role needs in this app; nil if none is sent.
    package var token: Secret?
    /// The name of a publisher's producer, or the id of a device; nil for a gateway.
    package var name: String?
    /// Whether a publisher asks for an OUTCOME for each push; without effect in other roles.
    package var wantsOutcomes: Bool

    /// The number up to which a publisher knows what became of its pushes; nil if it does not ask
    /// which later ones were rejected.
    package var acked: UInt64?

    /// The version of the protocol that this code implements.
    package static var version: Int64 { 1 }

    /// Whether it names a producer as the router names its own, in parentheses: `(http)` is the one
    /// of the pushes over HTTP.
    package var hasReservedName: Bool { role == .publisher && Self.isReserved(name ?? "") }

    /// Whether a producer of this name is the router's own.
    package static func isReserved(_ producer: String) -> Bool {
        producer.hasPrefix("(") && producer.hasSuffix(")")
    }

    /// Makes a HELLO; `name` is the producer's name or the device's id, or nil for a gateway.
    package init(
        role: Peer,
        app: String,
        token: String?,
        name: String?,
        wantsOutcomes: Bool = false,
        acked: UInt64? = nil
    ) {
        self.role = role
        self.app = app
        self.token = token.map { Secret($0) }
        self.name = name
        self.wantsOutcomes = wantsOutcomes
        self.acked = acked
    }

    /// Reads a body that the scanner has accepted.
    ///
    /// - Throws: `hello-invalid`, `version-unsupported` or `identifier-invalid`.
    package static func decode(_ bytes: ByteView) throws(ProtocolError) -> HelloMessage {
        var body = BodyReader(bytes, of: .hello)
        var version: UInt64?
        var role: String?
        var app: String?
        var token: Secret?
        var producer: String?
        var device: String?
        var wantsOutcomes = false
        var acked: UInt64?
        while let name = body.next() {
            switch name {
            case "v": version = try body.unsigned()
            case "role": role = try body.string().string
            case "app": app = try body.string().string
            case "token": token = try body.string().secret
            case "producer": producer = try body.string().string
            case "device": device = try body.string().string
            case "outcomes": wantsOutcomes = try body.boolean()
            case "acked": acked = try body.unsigned()
            default: body.skip()
            }
        }
        let wanted = try body.required(version, at: "v")
        guard wanted == UInt64(Self.version) else {
            throw ProtocolError(
                .versionUnsupported,
                message: "HELLO asks for version \(wanted); this router speaks 1"
            )
        }
        let peer: Peer
        let subject: String?
        switch try body.required(role, at: "role") {
        case "publisher":
            (peer, subject) = (.publisher, try body.required(producer, at: "producer"))
        case "device": (peer, subject) = (.device, try body.required(device, at: "device"))
        case "gateway": (peer, subject) = (.gateway, nil)
        case let other:
            throw ProtocolError(
                .helloInvalid,
                message:
                    "role of HELLO is \(quotation(other)); it must be publisher, device or gateway"
            )
        }
        let appName = try body.required(app, at: "app")
        try checkIdentifier(appName, of: "app")
        if let subject { try checkIdentifier(subject, of: "producer or device") }
        var message = HelloMessage(
            role: peer,
            app: appName,
            token: nil,
            name: subject,
            wantsOutcomes: wantsOutcomes,
            acked: acked
        )
        message.token = token
        return message
    }

    /// The body as a client sends it.
    package var encoded: [UInt8] {
        JSONWriter.object { json in
            json.member("v", value: Self.version)
            json.member("role", value: role.rawValue)
            json.member("app", value: app)
            if let token {
                json.key("token")
                token.withByteView { json.string($0) }
            }
            if let name { json.member(role == .publisher ? "producer" : "device", value: name) }
            if wantsOutcomes { json.member("outcomes", value: true) }
            if let acked { json.member("acked", value: acked) }
        }
    }
}

/// Checks that an identifier, of well-formed UTF-8, can be written in frames without escapes and in
/// logs without harm: 1 to 128 bytes with no quotation mark, no backslash and no hidden character
/// (`Unicode.Scalar.isHidden`); and in addresses: not `.` and `..`, which browsers, clients and
/// proxies take out of a path. A stored one may be older than the rule about dots, and that about
/// hidden characters beyond ASCII; these are allowed then. The error says what it identifies.
///
/// - Throws: `identifier-invalid`.
package func checkIdentifier(
    _ name: ByteView,
    of what: String,
    isStored: Bool = false
) throws(ProtocolError) {
    guard let problem = problem(ofIdentifier: name, isStored: isStored) else { return }
    throw ProtocolError(.identifierInvalid, message: "\(what) \(problem)")
}

/// What is wrong with an identifier, as the rest of a sentence; nil if nothing is.
private func problem(ofIdentifier name: ByteView, isStored: Bool) -> String? {
    if name.count == 0 || name.count > RouterLimits.identifierBytes {
        return "has \(name.count) bytes; it must have 1 to \(RouterLimits.identifierBytes)"
    }
    if !isStored && name.count <= 2 && (0..<name.count).allSatisfy({ name[$0] == 0x2e }) {
        return "is \(name.string), which clients and proxies take out of addresses"
    }
    for offset in 0..<name.count {
        let byte = name[offset]
        if byte < 0x20 || byte == 0x7f || byte == 0x22 || byte == 0x5c {
            return "has the byte 0x\(byte.hexadecimal) at \(offset); control characters, quotation "
                + "marks and backslashes are not allowed in identifiers"
        }
        if byte < 0x80 || isStored { continue }
        if let scalar = hiddenScalar(name, at: offset) {
            return "has the character U+\(String(scalar, radix: 16, uppercase: true)) at "
                + "\(offset); invisible characters are not allowed in identifiers"
        }
    }
    return nil
}

/// The hidden character beyond ASCII whose UTF-8 begins at `offset`; nil if there is none.
private func hiddenScalar(_ name: ByteView, at offset: Int) -> UInt32? {
    let lead = name[offset]
    let count = (~lead).leadingZeroBitCount
    // A byte within a character begins none.
    if count < 2 || count > name.count - offset { return nil }
    var scalar = UInt32(lead & (0x7f >> UInt8(count)))
    for index in 1..<count { scalar = scalar << 6 | UInt32(name[offset + index] & 0x3f) }
    return Unicode.Scalar(scalar).flatMap { $0.isHidden ? scalar : nil }
}

/// Checks an identifier in a `String`.
package func checkIdentifier(
    _ name: String,
    of what: String,
    isStored: Bool = false
) throws(ProtocolError) {
    try name.withByteView { (view) throws(ProtocolError) in
        try checkIdentifier(view, of: what, isStored: isStored)
    }
}
