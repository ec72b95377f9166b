internal import HTTPServing
internal import StrictJSON

/// How problems (RFC 9457) and other answers go over HTTP.
extension HTTPResponse {
    /// Problem details of the type `about:blank`, with a code.
    init(_ problem: AdminProblem) {
        var json = JSONWriter()
        json.beginObject()
        json.member("type", "about:blank")
        json.member("title", Self.title(problem.status))
        json.member("status", problem.status)
        json.member("detail", problem.detail)
        json.member("code", problem.code)
        json.endObject()
        self.init(status: problem.status, type: "application/problem+json", json.bytes)
        switch problem.status {
        case 401: headers.append(("WWW-Authenticate", "Bearer realm=\"reload-router\""))
        case 503: headers.append(("Retry-After", "1"))
        default: break
        }
    }

    init(_ answer: AdminAnswer) {
        switch answer {
        case .problem(let problem): self.init(problem)
        case .body(let status, let body):
            var json = JSONWriter()
            body.write(to: &json)
            self.init(status: status, json: json.bytes)
        }
    }

    /// - Parameters:
    ///   - status: 200 and beyond.
    ///   - json: one value.
    init(status: UInt32 = 200, json: [UInt8]) {
        self.init(status: status, type: "application/json", json)
    }

    private init(status: UInt32, type: String, _ json: [UInt8]) {
        self.init(
            status: status,
            headers: [("Content-Type", type), ("Cache-Control", "no-store")],
            body: json + [0x0a]
        )
    }

    /// As HTTP names the status.
    private static func title(_ status: UInt32) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 503: "Service Unavailable"
        default: "Internal Server Error"
        }
    }
}
