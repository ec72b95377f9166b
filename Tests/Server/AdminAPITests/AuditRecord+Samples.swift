import Basics
import Credentials
import HTTPServing
import TestSupport

@testable import AdminAPI

extension AuditRecord {
    /// An operator.
    static var anna: AdmittedOperator {
        AdmittedOperator(
            Operator(name: "anna", role: .operator, proof: .certificate(.dns("a"))),
            way: .certificate
        )
    }

    /// The record of a command that begins.
    static func begun(_ id: String, path: String = "/v1/apps/a%2Fb/pause") -> AuditRecord {
        var request = HTTPRequest(method: "POST", path: path)
        request.client = "127.0.0.1:5123"
        return AuditRecord(date: 1_001, admitted: anna, request: request, id: id)
    }

    /// The record of a command that was carried out, or refused.
    static func ended(_ id: String, status: UInt32 = 200) -> AuditRecord {
        var record = begun(id)
        record.state = .ended(
            status: status,
            problem: status < 300 ? nil : "app-unknown",
            change: status < 300
                ? AuditedChange(
                    before: { $0.member("isPaused", value: false) },
                    after: { $0.member("isPaused", value: true) }
                ) : nil
        )
        return record
    }
}
