package import Basics

/// What a signed token says of its holder (RFC 7519, section 4), once its signature is verified.
package struct TokenClaims: Equatable, Sendable {
    /// For whom it is (`sub`): a device's id, or a pattern of producers or devices.
    package var subject: String
    /// The app (`aud`), or the apps.
    package var audience: [String]
    /// The role (`role`): `publisher`, `device` or `gateway`.
    package var role: String
    /// From when on it is no longer good (`exp`).
    package var expiry: WallTime
    /// Before when it is not yet good (`nbf`); nil for always.
    package var begin: WallTime?
    /// When it was signed (`iat`); nil if it does not say so.
    package var issued: WallTime?

    /// Claims that were made elsewhere.
    package init(
        subject: String,
        audience: [String],
        role: String,
        expiry: WallTime,
        begin: WallTime? = nil,
        issued: WallTime? = nil
    ) {
        self.issued = issued
        self.subject = subject
        self.audience = audience
        self.role = role
        self.expiry = expiry
        self.begin = begin
    }

    /// How far the clocks of those who sign may be wrong.
    package static var clockSkew: Milliseconds { .seconds(60) }

    /// Whether a token is not good because the tokens that were issued before a date are revoked.
    /// That holds too for a token that does not say when it was issued (nil), or names a date far
    /// ahead, which could not be revoked otherwise.
    package static func isRevoked(
        _ issued: WallTime?,
        before date: WallTime,
        now: WallTime
    ) -> Bool {
        guard let issued else { return true }
        return issued < date || issued - clockSkew > now
    }

    /// Reads claims; nil if one that is needed is missing, or one has a wrong type.
    init?(json: ByteView) {
        var subject: String?
        var role: String?
        var audience: [String] = []
        var expiry: WallTime?
        var begin: WallTime?
        var issued: WallTime?
        var isValid = true
        let isObject = SignedToken.members(of: json) { name, reader in
            switch (name, reader.peek()) {
            case ("sub", .string): subject = reader.readString().string
            case ("role", .string): role = reader.readString().string
            case ("aud", .string): audience = [reader.readString().string]
            case ("aud", .array):
                reader.enterArray()
                while reader.nextElement() {
                    if reader.peek() == .string {
                        audience.append(reader.readString().string)
                    } else {
                        isValid = false
                        reader.skipValue()
                    }
                }
            case ("exp", .number):
                expiry = Self.time(reader.readNumber().string)
                if expiry == nil { isValid = false }
            case ("nbf", .number):
                begin = Self.time(reader.readNumber().string)
                if begin == nil { isValid = false }
            case ("iat", .number):
                issued = Self.time(reader.readNumber().string)
                if issued == nil { isValid = false }
            case ("sub", _), ("role", _), ("aud", _), ("exp", _), ("nbf", _), ("iat", _):
                isValid = false
                reader.skipValue()
            default: reader.skipValue()
            }
        }
        guard isObject, isValid, let subject, let role, let expiry else { return nil }
        self.init(
            subject: subject,
            audience: audience,
            role: role,
            expiry: expiry,
            begin: begin,
            issued: issued
        )
    }

    /// From when on it is no longer good, if it may have an age; nil if it does not say when it was
    /// signed, though it may not get older than that.
    func end(atAge age: Milliseconds?) -> WallTime? {
        guard let age else { return expiry }
        return issued.map { min(expiry, $0 + age) }
    }

    /// The date of a number of seconds since 1970, which may have a fraction. One beyond the year
    /// 9999 is none: it is in ms, and the token would never expire.
    private static func time(_ text: String) -> WallTime? {
        guard let seconds = Double(text), (0...253_402_300_799).contains(seconds) else {
            return nil
        }
        return WallTime(rawValue: Int64(seconds * 1_000))
    }

    /// The claims as JSON.
    package var json: [UInt8] {
        JSONWriter.object { json in
            json.member("sub", value: subject)
            if audience.count == 1 {
                json.member("aud", value: audience[0])
            } else {
                json.list("aud", of: audience)
            }
            json.member("role", value: role)
            json.member("exp", value: (expiry - .zero).wholeSeconds)
            if let begin { json.member("nbf", value: (begin - .zero).wholeSeconds) }
            if let issued { json.member("iat", value: (issued - .zero).wholeSeconds) }
        }
    }
}
