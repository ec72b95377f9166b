internal import Basics
internal import CLabFiles
internal import HTTPServing
internal import Synchronization

typealias HTTPViewer = HTTPEventStream

extension HTTPEventStream {
    /// Sends a message.
    ///
    /// - Returns: false if the browser is gone.
    func send(_ message: PageState<HTTPViewer>.Message) -> Bool {
        send(event: message.event, data: message.data)
    }
}

/// Answers the requests of a page.
///
/// | | |
/// |---|---|
/// | `GET /`, `/page.css`, `/page.js` | the page; `/?device=NAME` chooses one of several |
/// | `GET /events?device=` | the events `devices`, `screen` and `reload` |
/// | `GET /state.json?device=` | the latest snapshot |
/// | `POST /visible?page=N` | looks at page N; without a number, turns the screen off |
/// | `POST /online?value=` | connects the device with the network: `true` or `false` |
/// | `POST /foreground?value=` | opens or leaves the app: `true` or `false` |
final class DeviceScreens: HTTPHandler {
    let state = Mutex(PageState<HTTPViewer>())
    private let onCommand: @Sendable (PageCommand) -> Void

    init(onCommand: @escaping @Sendable (PageCommand) -> Void) {
        self.onCommand = onCommand
    }

    func respond(to request: HTTPRequest, with responder: HTTPResponder) {
        switch request.method {
        case "GET" where request.path == "/events":
            let stream = responder.beginEvents()
            state.withLock { state in
                state.add(stream, device: request.query("device")) { $0.send($1) }
            }
        case "GET", "HEAD": responder.send(page(request))
        case "POST": responder.send(command(request))
        default: responder.send(.methodNotAllowed("GET, HEAD, POST", detail: "a page is read"))
        }
    }

    // MARK: - Reading

    private func page(_ request: HTTPRequest) -> HTTPResponse {
        switch request.path {
        case "/": .page(device_page_html.copy, contentType: "text/html; charset=utf-8")
        case "/page.css": .page(device_page_css.copy, contentType: "text/css; charset=utf-8")
        case "/page.js":
            .page(device_page_js.copy, contentType: "text/javascript; charset=utf-8")
        case "/state.json": snapshot(request)
        case "/visible", "/online", "/foreground":
            .methodNotAllowed("POST", detail: "commands are posted")
        default: .problem(404, detail: "there are /, /events and /state.json")
        }
    }

    private func snapshot(_ request: HTTPRequest) -> HTTPResponse {
        let found = state.withLock { state in
            state.snapshot(of: request.query("device")).map { .success($0.json) }
                ?? Result<String, Refusal>.failure(Refusal(request, state: state))
        }
        return switch found {
        case .success(let json):
            HTTPResponse(status: 200, contentType: "application/json", body: json + "\n")
        case .failure(let refusal): refusal.response
        }
    }

    // MARK: - Commands

    private func command(_ request: HTTPRequest) -> HTTPResponse {
        guard ["/visible", "/online", "/foreground"].contains(request.path) else {
            return .problem(404, detail: "there are /visible, /online and /foreground")
        }
        let (screen, refusal) = state.withLock { state in
            (state.snapshot(of: request.query("device"))?.snapshot, Refusal(request, state: state))
        }
        guard let screen else { return refusal.response }
        guard let action = Self.action(request, pages: screen.pages) else {
            return .problem(400, detail: Self.usage(request.path, pages: screen.pages))
        }
        onCommand(PageCommand(device: screen.device, action: action))
        return HTTPResponse(status: 204, headers: [("Cache-Control", "no-store")], body: [])
    }

    private static func action(_ request: HTTPRequest, pages: Int) -> PageCommand.Action? {
        if request.path == "/visible" {
            guard let text = request.query("page") else { return nil }
            if text.isEmpty { return .look(page: nil) }
            guard let page = Int(text), page >= 0, page < pages else { return nil }
            return .look(page: page)
        }
        guard let value = request.query("value").flatMap(Bool.init) else { return nil }
        return request.path == "/online" ? .setOnline(value) : .setForeground(value)
    }

    private static func usage(_ path: String, pages: Int) -> String {
        path == "/visible"
            ? "page is a number from 0 to \(pages - 1), or empty" : "value is true or false"
    }

    /// Why a request names no device that is shown.
    private struct Refusal: Error {
        private let isAmbiguous: Bool

        init(_ request: HTTPRequest, state: PageState<HTTPViewer>) {
            isAmbiguous = state.isAmbiguous && request.query("device") == nil
        }

        var response: HTTPResponse {
            isAmbiguous
                ? .problem(400, detail: "there are several devices: device says which one")
                : .problem(404, detail: "there is no such device")
        }
    }
}

extension HTTPResponse {
    /// A file of the page. The policy forbids the browser to load anything from elsewhere.
    fileprivate static func page(_ body: [UInt8], contentType: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", contentType),
                ("Cache-Control", "no-store"),
                ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "no-referrer"),
                (
                    "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; "
                        + "connect-src 'self'; img-src data:; base-uri 'none'; "
                        + "form-action 'none'; frame-ancestors 'none'"
                ),
            ],
            body: body
        )
    }
}
