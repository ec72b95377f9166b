import HTTPServing
import Testing

@testable import WidgetFleet

@Suite struct DeviceScreensTests {
    private let screens = DeviceScreens()
    private let server: HTTPServer

    init() throws {
        let address = ListeningAddress(host: "127.0.0.1", port: 0)!
        server = try HTTPServer(address, handler: screens)
    }

    private func ask(_ request: String) -> PageClient {
        PageClient(url: "http://\(server.address)/", request)
    }

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

    @Test func `Events broadcast the screen at once, and each change`() {
        screens.show(sampleScreen())
        let events = ask("GET /events")
        #expect(events.hears("event: screen\ndata: {\"now\":1800000000000,\"app\":\"com.mygame\""))
        #expect(events.received.contains("event: devices\ndata: [\"player-007\"]\n\n"))
        screens.show(sampleScreen(online: false))
        #expect(events.hears("\"online\":false"))
        screens.close()
        server.stop()
        #expect(!events.hears("more"))
    }

    @Test func `A command is for the only device, or for the one that is named`() {
        #expect(ask("POST /online?value=true").status == 404)
        screens.show(sampleScreen(device: "one"))
        #expect(ask("POST /online?value=true").status == 204)
        screens.show(sampleScreen(device: "two & more"))
        #expect(ask("POST /online?value=true").status == 400)
        #expect(ask("POST /online?value=true&device=two%20%26%20more").status == 204)
        #expect(ask("POST /online?value=true&device=three").status == 404)
        #expect(screens.takeCommands().map(\.device) == ["one", "two & more"])
    }

    @Test func `Buttons become commands`() {
        screens.show(sampleScreen(device: "one"))
        for path in [
            "/visible?page=1", "/visible?page=", "/online?value=false",
            "/foreground?value=true&device=one",
        ] {
            #expect(ask("POST \(path)").status == 204, "\(path)")
        }
        let expected: [PageCommand.Action] = [
            .look(page: 1), .look(page: nil), .setOnline(false), .setForeground(true),
        ]
        let commands = screens.takeCommands()
        #expect(commands.map(\.action) == expected)
        #expect(commands.allSatisfy { $0.device == "one" } && screens.takeCommands().isEmpty)
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
        screens.show(sampleScreen())
        #expect(ask(request).status == status)
        #expect(screens.takeCommands().isEmpty)
    }

    @Test func `More devices than the limit are not shown`() {
        for number in 0..<DeviceScreens.devicesLimit {
            #expect(screens.show(sampleScreen(device: "\(number)")))
        }
        #expect(!screens.show(sampleScreen(device: "one more")))
    }
}
