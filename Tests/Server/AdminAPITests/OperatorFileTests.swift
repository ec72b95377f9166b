import Basics
import Credentials
import TestSupport
import Testing

@testable import AdminAPI

@Suite("The list of operators")
struct OperatorFileTests {
    private static let digest = String(repeating: "0f", count: 32)

    @Test func `A list is read`() throws {
        let file = """
            {"operators":[
              {"name":"anna","role":"admin","sha256":"\(Self.digest)",
               "notAfter":"1970-01-01T00:00:05Z"},
              {"name":"prometheus","role":"viewer","certificate":"dns:Prometheus.Example"},
              {"name":"ben","role":"operator","certificate":"uri:spiffe://game.example/ben",
               "apps":["com.mygame","com.other"]}]}
            """
        let operators = try OperatorFile.parse(Array(file.utf8))
        #expect(operators.map(\.name) == ["anna", "prometheus", "ben"])
        #expect(operators.map(\.role) == [.admin, .viewer, .operator])
        #expect(operators.map(\.notAfter) == [5_000, nil, nil])
        #expect(operators.map(\.apps) == [nil, nil, ["com.mygame", "com.other"]])
        #expect(operators[1].proof == .certificate(.dns("prometheus.example")))
    }

    @Test(
        arguments: [
            ("", "byte 0"),
            ("{}", "there is no member operators"),
            (#"{"operator":[]}"#, "there is no member operator; there are operators"),
            (#"{"operators":{}}"#, "must be a list"),
            (
                #"{"operators":[{"role":"admin"}]}"#,
                "operators[0] must be an object with a member name"
            ),
            (#"{"operators":[{"name":"a"}]}"#, "must be an object with a member role"),
            (
                #"{"operators":[{"name":"a","role":"root","sha256":""}]}"#,
                "must be one of viewer, operator, admin"
            ),
            (#"{"operators":[{"name":"a","role":"admin"}]}"#, "with either sha256 or certificate"),
            (
                #"{"operators":[{"name":"a","role":"admin","sha256":"abc"}]}"#,
                "the SHA-256 of a token, 64 hexadecimal digits"
            ),
            (
                #"{"operators":[{"name":"a","role":"admin","certificate":"a"}]}"#,
                "must be dns:NAME or uri:URI"
            ),
            (#"{"operators":[{"name":"a","token":"secret"}]}"#, "there is no member"),
            (#"{"operators":[{"name":"a","role":"admin","apps":[]}]}"#, "at least one app"),
            (
                #"{"operators":[{"name":"a","role":"admin","notAfter":"soon"}]}"#,
                "must be a date such as"
            ),
            (
                #"{"operators":[{"name":"a","role":"admin","certificate":"dns:a"},"#
                    + #"{"name":"a","role":"admin","certificate":"dns:b"}]}"#,
                "the name a is used already"
            ),
            (
                #"{"operators":[{"name":"a","role":"admin","certificate":"dns:a"},"#
                    + #"{"name":"b","role":"admin","certificate":"dns:A"}]}"#,
                "b proves itself by the same as a"
            ),
            (
                #"{"operators":[{"name":"(token file)","role":"admin","certificate":"dns:a"}]}"#,
                "is used already"
            ),
        ]
    )
    func `What is no list is refused, and where`(file: String, reason: String) {
        let error = #expect(throws: OperatorFileError.self) {
            try OperatorFile.parse(Array(file.utf8))
        }
        let text = (error?.description ?? "").replacing("\"", with: "")
        #expect(text.contains(reason), "\(text)")
    }
}
