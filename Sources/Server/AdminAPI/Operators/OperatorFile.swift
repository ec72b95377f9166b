internal import Basics
internal import Credentials

/// Reads the list of operators.
///
///     {"operators":[
///       {"name":"anna","role":"admin","sha256":"…","notAfter":"2027-01-01T00:00:00Z"},
///       {"name":"ben","role":"operator","apps":["com.mygame"],"sha256":"…"},
///       {"name":"prometheus","role":"viewer","certificate":"dns:prometheus.example"}]}
package enum OperatorFile {
    /// The most operators in a file; a file with more is refused.
    package static var limit: Int { 1_024 }
    private static let members = ["name", "role", "apps", "sha256", "certificate", "notAfter"]

    /// Parses a file of strict JSON; an error says what is wrong, and where.
    package static func parse(_ file: [UInt8]) throws(OperatorFileError) -> [Operator] {
        let operators: [Operator]?
        do throws(AdminProblem) {
            operators = try AdminValue.read(file, depth: 8) { (file) throws(AdminProblem) in
                try file.members(of: ["operators"])["operators"]?.list(limit) {
                    (value) throws(AdminProblem) in try parse(value)
                }
            }
        } catch {
            throw OperatorFileError(description: error.detail)
        }
        guard let operators else {
            throw OperatorFileError(description: "there is no member operators")
        }
        try checkUnique(operators)
        return operators
    }

    private static func parse(_ value: AdminValue) throws(AdminProblem) -> Operator {
        let members = try value.members(of: members)
        let name = try members["name"]?.identifier()
        let role = try parsed(
            members["role"],
            expected: "one of \(OperatorRole.allCases.map(\.rawValue).joined(separator: ", "))"
        ) { OperatorRole(rawValue: $0) }
        let digest = try parsed(
            members["sha256"],
            expected: "the SHA-256 of a token, 64 hexadecimal digits, as `reload-router "
                + "token new` prints it"
        ) { SHA256Digest(hexadecimal: $0) }
        let certificate = try parsed(
            members["certificate"],
            expected: "dns:NAME or uri:URI, as a certificate's subjectAltName has it"
        ) { CertificateName($0) }
        let apps = try members["apps"]?.list(limit) { (app) throws(AdminProblem) in
            try app.identifier()
        }
        if let value = members["apps"], apps?.isEmpty == true {
            throw value.wrong("a list of at least one app")
        }
        let notAfter = try parsed(
            members["notAfter"],
            expected: "a date such as 2027-01-01T00:00:00Z (RFC 3339)"
        ) { WallTime(rfc3339: $0) }
        guard let name else { throw value.wrong("an object with a member name") }
        guard let role else { throw value.wrong("an object with a member role") }
        let proofs = [digest.map { .token($0) }, certificate.map { OperatorProof.certificate($0) }]
            .compactMap(\.self)
        guard let proof = proofs.first, proofs.count == 1 else {
            throw value.wrong("an object with either sha256 or certificate")
        }
        return Operator(
            name: name,
            role: role,
            proof: proof,
            notAfter: notAfter,
            apps: apps.map { Set($0) }
        )
    }

    /// Reads a text that `parse` understands, if there is one; `expected` says in an error what it
    /// must be.
    private static func parsed<Value>(
        _ value: AdminValue?,
        expected: String,
        parse: (String) -> Value?
    ) throws(AdminProblem) -> Value? {
        guard let value else { return nil }
        guard let found = parse(try value.string(1_024)) else { throw value.wrong(expected) }
        return found
    }

    /// Two operators with one name would be the same in the audit log, two with one proof
    /// everywhere.
    private static func checkUnique(_ operators: [Operator]) throws(OperatorFileError) {
        var names: Set<String> = [Operator.tokenFileName]
        var proofs: [OperatorProof: String] = [:]
        for one in operators {
            if !names.insert(one.name).inserted {
                throw OperatorFileError(
                    description: "the name \(quotation(one.name)) is used already"
                )
            }
            if let other = proofs.updateValue(one.name, forKey: one.proof) {
                throw OperatorFileError(
                    description: "\(quotation(one.name)) proves itself by the same as "
                        + quotation(other)
                )
            }
        }
    }
}

/// Why a file is no list of operators.
package struct OperatorFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, and where, as the end of a sentence: it follows the file's name and a colon.
    package let description: String
}
