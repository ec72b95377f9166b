import Basics
import HTTPMessages

@testable import AdminAPI
@testable import HTTPServing

/// Requests of the admin server as its library hands them over: each is answered, in what the
/// answer says it is, and what is refused is refused in few words.
///
///     method and target │ headers, a line each │ an empty line │ the body
final class HTTPFuzzing: FuzzTarget {
    private let open = AdminStage()
    private let closed = AdminStage(token: AdminStage.token)
    private static let headerLimit = 8

    func run(_ input: ByteView) {
        var input = FuzzInput(input)
        let line = input.line().string
        let method = String(line.prefix { $0 != " " })
        let target = line.dropFirst(method.count).drop { $0 == " " }
        let path = String(target.prefix { $0 != "?" })
        var headers: [(name: String, value: String)] = []
        while !input.isAtEnd {
            let line = input.line().string
            if line.isEmpty { break }
            let name = String(line.prefix { $0 != ":" })
            let value = line.dropFirst(name.count + 1).drop { $0 == " " }
            if headers.count < Self.headerLimit { headers.append((name, String(value))) }
        }
        let arguments = target.dropFirst(path.count + 1).split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            let value = pair.dropFirst(name.count + 1)
            return (name: decoded(name), value: decoded(value))
        }
        let head = open.identified(
            HTTPRequest(method: method, path: path, arguments: arguments, headers: headers)
        )
        var request = head
        request.body = body(input.rest, head)
        // A stream has no answer.
        if case .route(let route, _) = AdminRoutes.find(method, path: path),
            case .here(.events) = route.operation
        {
            return
        }
        for stage in [open, closed] {
            guard let response = stage.response(to: request) else { fail("no answer") }
            check(response, request)
            _ = stage.port.take()
        }
    }

    private func decoded(_ text: Substring) -> String {
        Array(text.utf8).withByteView { bytes in
            String(decoding: PercentEscapes.decode(bytes, isQuery: true), as: UTF8.self)
        }
    }

    /// What is kept of a body that is left.
    private func body(_ bytes: ByteView, _ head: HTTPRequest) -> HTTPBody {
        if open.resources.bodyLimit(of: head) == nil { return .whole([]) }
        return bytes.count > 512 ? .tooLarge : .whole(bytes.array)
    }

    private func check(_ response: HTTPResponse, _ request: HTTPRequest) {
        require((200...599).contains(response.status), "status \(response.status)")
        for (name, value) in response.headers {
            let isPlain = (name + value).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
            require(isPlain, "the header \(name): \(value)")
        }
        let type = response.contentType ?? ""
        if type.hasPrefix("application/json") || type.hasPrefix("application/problem+json") {
            response.body.withByteView { body in
                var scanner = JSONScanner(depthLimit: 64)
                let isJSON = (try? validateJSON(body, using: &scanner)) != nil
                require(isJSON, "\(body.string) is no JSON")
            }
        }
        if response.status >= 400 {
            require(response.body.count <= 1_200, "a problem of \(response.body.count) bytes")
        }
    }
}
