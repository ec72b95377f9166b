internal import Basics

/// Reads the member `apns` of an app.
extension AppFileParser {
    /// Reads an app's settings for APNs.
    func apns() throws(AppFileError) -> APNsSettings {
        var team: String?
        var key: String?
        var certificate: String?
        var bundle: String?
        var settings = APNsSettings(team: "", key: "", bundle: "")
        try members { (name) throws(AppFileError) in
            switch name {
            case "team": team = try appleID()
            case "key": key = try appleID()
            case "certificate": certificate = try certificateName()
            case "bundle": bundle = try bundleIdentifier()
            case "pushesPerDay": settings.pushesPerDay = try number(in: 1...BudgetPolicy.limit)
            case "backgroundPushesPerHour":
                settings.backgroundPushesPerHour = try number(
                    in: 1...APNsSettings.mostBackgroundPushes
                )
            case "grace": settings.grace = try duration(in: .zero...APNsSettings.longestGrace)
            case "environments": settings.environments = try environments()
            default:
                throw unknownMember(
                    known: "team, key, certificate, bundle, pushesPerDay, "
                        + "backgroundPushesPerHour, grace and environments"
                )
            }
        }
        guard let bundle, (team == nil) == (key == nil), team != nil || certificate != nil else {
            throw mistake(
                "team, key and bundle are needed, or certificate and bundle; one of them is missing"
            )
        }
        settings.bundle = bundle
        switch (team, key, certificate) {
        case (let team?, let key?, nil): settings.credential = .key(key, team: team)
        case (nil, nil, let certificate?): settings.credential = .certificate(certificate)
        default:
            throw mistake(
                "an app proves itself by team and key, or by certificate, and not by both"
            )
        }
        return settings
    }

    /// Reads the services at which tokens are tried that were registered for the other one.
    private func environments() throws(AppFileError) -> Set<APNsEnvironment> {
        let environments = try uniqueElements(each: environment, name: \.rawValue)
        return Set(environments)
    }

    private func environment() throws(AppFileError) -> APNsEnvironment {
        let name = try string()
        if let environment = APNsEnvironment(rawValue: name) { return environment }
        let known = APNsEnvironment.allCases.map(\.rawValue).joined(separator: " or ")
        throw mistake("\(quotation(name)) is not \(known)")
    }

    /// Reads the name of a certificate, which becomes part of a file's name.
    private func certificateName() throws(AppFileError) -> String {
        try text(
            expected: "a name of a certificate: at most \(APNsCredential.longestName) letters, "
                + "digits, hyphens, underscores and dots, the first no dot"
        ) {
            $0.count <= APNsCredential.longestName && $0.first != UInt8(ascii: ".")
                && $0.allSatisfy { byte in
                    Self.isDigit(byte) || Self.isLetter(byte) || "._-".utf8.contains(byte)
                }
        }
    }

    /// Reads the id of a team or key.
    private func appleID() throws(AppFileError) -> String {
        try text(expected: "an id of Apple's: ten capital letters and digits") {
            $0.count == APNsSettings.idLength
                && $0.allSatisfy { Self.isDigit($0) || Self.isCapital($0) }
        }
    }

    /// Reads a bundle identifier, which becomes part of a header.
    ///
    /// Source: Apple, "CFBundleIdentifier": letters, digits, hyphens and dots.
    private func bundleIdentifier() throws(AppFileError) -> String {
        try text(expected: "a bundle identifier: letters, digits, hyphens and dots") {
            $0.allSatisfy { byte in
                Self.isDigit(byte) || Self.isLetter(byte) || ".-".utf8.contains(byte)
            }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isCapital(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { isCapital(byte & ~0x20) }

    /// Reads an identifier of a certain form.
    private func text(
        expected: String,
        isRight: (String.UTF8View) -> Bool
    ) throws(AppFileError) -> String {
        let text = try identifier()
        if isRight(text.utf8) { return text }
        throw mistake("\(quotation(text)) is not \(expected)")
    }
}
