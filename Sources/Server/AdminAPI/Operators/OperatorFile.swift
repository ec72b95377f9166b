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
    private static var known: String { "name, role, apps, sha256, certificate and notAfter" }

    /// Parses a file of strict JSON; an error says what is wrong, and where.
    package static func parse(_ file: [UInt8]) throws(OperatorFileError) -> [Operator] {
        var operators: [Operator]?
        do throws(AdminProblem) {
            try AdminValue.readObject(file, depth: 8) { (name, value) throws(AdminProblem) in
                guard name == "operators" else { throw value.unknown("operators") }
                operators = try value.list(limit) { (value) throws(AdminProblem) in
                    try parse(value)
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
        var name: String?
        var role: OperatorRole?
        var proofs: [OperatorProof] = []
        var notAfter: WallTime?
        var apps: Set<String>?
        try value.members { (member, value) throws(AdminProblem) in
            switch member {
            case "name": name = try value.identifier()
            case "role":
                let roles = OperatorRole.allCases.map(\.rawValue).joined(separator: ", ")
                role = try parsed(value, expected: "one of \(roles)") { OperatorRole(rawValue: $0) }
            case "sha256":
                let digest = try parsed(
                    value,
                    expected: "the SHA-256 of a token, 64 hexadecimal digits, as `reload-router "
                        + "token new` prints it"
                ) { SHA256Digest(hexadecimal: $0) }
                proofs.append(.token(digest))
            case "certificate":
                let name = try parsed(
                    value,
                    expected: "dns:NAME or uri:URI, as a certificate's subjectAltName has it"
                ) { CertificateName($0) }
                proofs.append(.certificate(name))
            case "apps":
                apps = Set(
                    try value.list(limit) { (value) throws(AdminProblem) in try value.identifier() }
                )
                if apps?.isEmpty == true { throw value.wrong("a list of at least one app") }
            case "notAfter":
                notAfter = try parsed(
                    value,
                    expected: "a date such as 2027-01-01T00:00:00Z (RFC 3339)"
                ) { WallTime(rfc3339: $0) }
            default: throw value.unknown(known)
            }
        }
        guard let name else { throw value.wrong("an object with a member name") }
        guard let role else { throw value.wrong("an object with a member role") }
        guard let proof = proofs.first, proofs.count == 1 else {
            throw value.wrong("an object with either sha256 or certificate")
        }
        return Operator(name: name, role: role, proof: proof, notAfter: notAfter, apps: apps)
    }

    /// Reads a text that `parse` understands; `expected` says in an error what it must be.
    private static func parsed<Value>(
        _ value: AdminValue,
        expected: String,
        parse: (String) -> Value?
    ) throws(AdminProblem) -> Value {
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
