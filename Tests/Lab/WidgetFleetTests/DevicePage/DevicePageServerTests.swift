import HTTPServing
import Synchronization
import Testing

@testable import WidgetFleet

@Suite struct DevicePageServerTests {
    private let server: DevicePageServer
    private let commands = Commands()

    private final class Commands: Sendable {
        let all = Mutex<[PageCommand]>([])
    }

    init() throws {
        let commands = commands
        server = try DevicePageServer(ListeningAddress(host: "127.0.0.1", port: 0)!) { command in
            commands.all.withLock { $0.append(command) }
        }
    }

    private func ask(_ request: String) -> PageClient { PageClient(url: server.url, request) }

    @Test func `The page loads only what the server has`() {
        let html = ask("GET /").readToEnd()
        #expect(html.hasPrefix("HTTP/1.1 200"))
        #expect(html.contains("Content-Security-Policy: default-src 'none'; script-src 'self'"))
        #expect(html.contains("<script src=\"page.js\">"))
        #expect(ask("GET /page.css").readToEnd().contains("Content-Type: text/css"))
        let script = ask("GET /page.js").readToEnd()
        #expect(script.contains("Content-Type: text/javascript"))
        for text in [html, script, ask("GET /page.css").received] {
            #expect(!text.contains("http://") && !text.contains("https://"))
        }
        #expect(!html.contains("style=\"") && !html.contains("onclick"))
    }

    @Test func `Events broadcast the screen at once, each change, and reloads`() {
        server.show(sampleScreen())
        let events = ask("GET /events")
        #expect(events.hears("event: screen\ndata: {\"app\":\"com.mygame\""))
        #expect(events.received.contains("event: devices\ndata: [\"player-007\"]\n\n"))
        var screen = sampleScreen()
        screen.online = false
        server.show(screen)
        #expect(events.hears("\"online\":false"))
        server.flash(PageReload(widget: "w1", cause: "push", changed: true), of: screen.device)
        let reload = #"{"cause":"push","changed":true,"widget":"w1"}"#
        #expect(events.hears("event: reload\ndata: \(reload)\n\n"))
        server.stop()
        #expect(!events.hears("more"))
    }

    @Test func `A command is for the only device, or for the one that is named`() {
        #expect(ask("POST /online?value=true").status == 404)
        server.show(sampleScreen(device: "one"))
        #expect(ask("POST /online?value=true").status == 204)
        server.show(sampleScreen(device: "two & more"))
        #expect(ask("POST /online?value=true").status == 400)
        #expect(ask("POST /online?value=true&device=two%20%26%20more").status == 204)
        #expect(ask("POST /online?value=true&device=three").status == 404)
        #expect(commands.all.withLock { $0.map(\.device) } == ["one", "two & more"])
    }

    @Test func `Buttons become commands`() {
        server.show(sampleScreen(device: "one"))
        for path in [
            "/visible?page=1", "/visible?page=", "/online?value=false",
            "/foreground?value=true&device=one",
        ] {
            #expect(ask("POST \(path)").status == 204, "\(path)")
        }
        let expected: [PageCommand.Action] = [
            .look(page: 1), .look(page: nil), .setOnline(false), .setForeground(true),
        ]
        #expect(commands.all.withLock { $0.map(\.action) } == expected)
        #expect(commands.all.withLock { $0.allSatisfy { $0.device == "one" } })
    }

    @Test(
        arguments: [
            ("POST /visible?page=2", 400), ("POST /visible?page=-1", 400),
            ("POST /visible?page=x", 400), ("POST /visible", 400), ("POST /online?value=1", 400),
            ("POST /foreground", 400), ("POST /online?value=true&device=no", 404),
            ("POST /", 404), ("POST /none", 404), ("GET /online?value=true", 405),
            ("DELETE /", 405), ("GET /none", 404), ("GET /page.html", 404), ("HEAD /", 200),
        ]
    )
    func `An unknown command is refused, and not passed on`(request: String, status: Int) {
        server.show(sampleScreen())
        #expect(ask(request).status == status)
        #expect(commands.all.withLock { $0.isEmpty })
    }

    @Test func `More devices than the limit are not shown`() {
        for number in 0..<DevicePageServer.devicesLimit {
            #expect(server.show(sampleScreen(device: "\(number)")))
        }
        #expect(!server.show(sampleScreen(device: "one more")))
        server.stop()
        server.stop()
    }
}
