internal import Basics
internal import CLabFiles
internal import HTTPServing
internal import Synchronization

/// Shows the screens of devices live, in browsers on this machine, to which it answers:
///
/// | | |
/// |---|---|
/// | `GET /` and its files | the page; `/?device=NAME` chooses one of several |
/// | `GET /events?device=` | the events `devices` and `screen`; of several devices, `previews` |
/// | `POST /visible?page=N` | looks at page N; without a number, turns the screen off |
/// | `POST /online?value=` | connects the device with the network: `true` or `false` |
/// | `POST /foreground?value=` | opens or leaves the app: `true` or `false` |
///
/// May be used from any thread. The page's files are compiled into the program; it loads nothing
/// from elsewhere.
final class DeviceScreens: HTTPHandler {
    /// The most devices; screens of further ones are ignored.
    static var devicesLimit: Int { 64 }

    private let state = Mutex(PageState<HTTPEventStream>())
    /// Commands that are left to take. They need no limit: they come from clicks.
    private let commands = Mutex<[PageCommand]>([])

    /// Shows the current state of a device; returns false if there are too many devices.
    @discardableResult
    func show(_ screen: DeviceScreen) -> Bool {
        state.withLock { $0.show(screen, limit: Self.devicesLimit) { $0.send($1) } }
    }

    /// Returns whether a device is new or has viewers, so that its screen is worth making.
    func wants(_ device: String) -> Bool { state.withLock { $0.wants(device) } }

    /// Shows previews of all widgets if a viewer waits for them.
    func showPreviews(_ json: () -> String) {
        guard state.withLock({ $0.takePreviewsRequest() }) else { return }
        let message = PageMessage(event: "previews", data: json())
        state.withLock { $0.send(previews: message) { $0.send($1) } }
    }

    /// Removes and returns the commands of the pages' buttons.
    func takeCommands() -> [PageCommand] {
        commands.withLock { commands in
            defer { commands = [] }
            return commands
        }
    }

    /// Ends the events of all viewers.
    func close() {
        for viewer in state.withLock({ $0.removeViewers() }) { viewer.close() }
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

    private func page(_ request: HTTPRequest) -> HTTPResponse {
        switch request.path {
        case "/": return .page(device_page_html.copy, contentType: "text/html")
        case "/page.css": return .page(device_page_css.copy, contentType: "text/css")
        case "/page.js": return .page(device_page_js.copy, contentType: "text/javascript")
        case "/draw.js": return .page(device_draw_js.copy, contentType: "text/javascript")
        case "/symbols.js": return .page(device_symbols_js.copy, contentType: "text/javascript")
        case "/visible", "/online", "/foreground":
            return .methodNotAllowed("POST", detail: "commands are posted")
        default: return .notFound("there are / and /events")
        }
    }

    private func command(_ request: HTTPRequest) -> HTTPResponse {
        guard ["/visible", "/online", "/foreground"].contains(request.path) else {
            return .notFound("there are /visible, /online and /foreground")
        }
        let device = request.query("device")
        guard let screen = state.withLock({ $0.screen(of: device) }) else {
            let isAmbiguous = device == nil && state.withLock { $0.isAmbiguous }
            return isAmbiguous
                ? .badRequest("there are several devices: device says which one")
                : .notFound("there is no such device")
        }
        guard let action = Self.action(request, pages: screen.pages) else {
            return .badRequest(
                request.path == "/visible"
                    ? "page is a number from 0 to \(screen.pages - 1), or empty"
                    : "value is true or false"
            )
        }
        commands.withLock { $0.append(PageCommand(device: screen.device, action: action)) }
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
}

extension HTTPEventStream {
    /// Sends a message; returns false if the browser is gone.
    fileprivate func send(_ message: PageMessage) -> Bool {
        send(event: message.event, data: message.data)
    }
}

extension HTTPResponse {
    fileprivate static func notFound(_ detail: String) -> HTTPResponse {
        .problem(404, detail: detail)
    }

    fileprivate static func badRequest(_ detail: String) -> HTTPResponse {
        .problem(400, detail: detail)
    }

    /// A file of the page. The policy forbids the browser to load anything from elsewhere.
    fileprivate static func page(_ body: [UInt8], contentType: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", "\(contentType); charset=utf-8"),
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
