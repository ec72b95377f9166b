internal import Basics

/// Reads the member `apns` of an app.
extension AppFileParser {
    /// Reads an app's settings for APNs.
    func apns(_ reader: inout JSONReader, path: String) throws(AppFileError) -> APNsSettings {
        let start = reader.offset
        var team: String?
        var key: String?
        var certificate: String?
        var bundle: String?
        var settings = APNsSettings(team: "", key: "", bundle: "")
        try members(&reader, path: path) { (name, reader, path) throws(AppFileError) in
            switch name {
            case "team": team = try appleID(&reader, path: path)
            case "key": key = try appleID(&reader, path: path)
            case "certificate": certificate = try certificateName(&reader, path: path)
            case "bundle": bundle = try bundleIdentifier(&reader, path: path)
            case "pushesPerDay":
                settings.pushesPerDay = try number(&reader, path: path, in: 1...BudgetPolicy.limit)
            case "backgroundPushesPerHour":
                settings.backgroundPushesPerHour = try number(
                    &reader,
                    path: path,
                    in: 1...APNsSettings.mostBackgroundPushes
                )
            case "grace":
                settings.grace = try duration(
                    &reader,
                    path: path,
                    in: .zero...APNsSettings.longestGrace
                )
            case "environments": settings.environments = try environments(&reader, path: path)
            default:
                throw unknownMember(
                    reader,
                    path: path,
                    known:
                        "team, key, certificate, bundle, pushesPerDay, backgroundPushesPerHour, "
                        + "grace and environments"
                )
            }
        }
        guard let bundle, (team == nil) == (key == nil), team != nil || certificate != nil else {
            throw error(
                at: start,
                path: path,
                message: "team, key and bundle are needed, or certificate and bundle; one of them "
                    + "is missing"
            )
        }
        settings.bundle = bundle
        switch (team, key, certificate) {
        case (let team?, let key?, nil): settings.credential = .key(key, team: team)
        case (nil, nil, let certificate?): settings.credential = .certificate(certificate)
        default:
            throw error(
                at: start,
                path: path,
                message: "an app proves itself by team and key, or by certificate, and not by both"
            )
        }
        return settings
    }

    /// Reads the services at which tokens are tried that were registered for the other one.
    private func environments(
        _ reader: inout JSONReader,
        path: String
    ) throws(AppFileError) -> Set<APNsEnvironment> {
        let names = try uniqueElements(&reader, path: path, each: environment, name: \.rawValue)
        return Set(names)
    }

    private func environment(
        _ reader: inout JSONReader,
        path: String
    ) throws(AppFileError) -> APNsEnvironment {
        let start = reader.offset
        let name = try string(&reader, path: path)
        if let environment = APNsEnvironment(rawValue: name) { return environment }
        let known = APNsEnvironment.allCases.map(\.rawValue).joined(separator: " or ")
        throw error(at: start, path: path, message: "\(quotation(name)) is not \(known)")
    }

    /// Reads the name of a certificate, which becomes part of a file's name.
    private func certificateName(
        _ reader: inout JSONReader,
        path: String
    ) throws(AppFileError) -> String {
        let expected =
            "a name of a certificate: at most \(APNsCredential.longestName) letters, digits, "
            + "hyphens, underscores and dots, the first no dot"
        return try text(&reader, path: path, expected: expected) {
            $0.utf8.count <= APNsCredential.longestName && $0.utf8.first != UInt8(ascii: ".")
                && $0.utf8.allSatisfy { byte in
                    Self.isDigit(byte) || Self.isCapital(byte & ~0x20)
                        || "._-".utf8.contains(byte)
                }
        }
    }

    /// Reads the id of a team or key.
    private func appleID(_ reader: inout JSONReader, path: String) throws(AppFileError) -> String {
        try text(&reader, path: path, expected: "an id of Apple's: ten capital letters and digits")
        {
            $0.utf8.count == APNsSettings.idLength
                && $0.utf8.allSatisfy { Self.isDigit($0) || Self.isCapital($0) }
        }
    }

    /// Reads a bundle identifier, which becomes part of a header.
    ///
    /// Source: Apple, "CFBundleIdentifier": letters, digits, hyphens and dots.
    private func bundleIdentifier(
        _ reader: inout JSONReader,
        path: String
    ) throws(AppFileError) -> String {
        let expected = "a bundle identifier: letters, digits, hyphens and dots"
        return try text(&reader, path: path, expected: expected) {
            $0.utf8.allSatisfy { byte in
                Self.isDigit(byte) || Self.isCapital(byte & ~0x20)
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
            }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isCapital(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    /// Reads an identifier of a certain form.
    private func text(
        _ reader: inout JSONReader,
        path: String,
        expected: String,
        isRight: (String) -> Bool
    ) throws(AppFileError) -> String {
        let start = reader.offset
        let text = try identifier(&reader, path: path)
        if isRight(text) { return text }
        throw error(at: start, path: path, message: "\(quotation(text)) is not \(expected)")
    }
}
