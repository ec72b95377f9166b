internal import Basics
internal import CAdminFiles
internal import CIntrinsics
internal import HTTPServing

/// The files that the admin server serves: those of the dashboard, which loads nothing from other
/// servers.
package struct StaticFiles: Sendable {
    /// The answer to `/`; nil if there is no page.
    var page: StaticFile?
    /// The answer to `/runbook`; nil if there is none.
    var runbook: StaticFile?
    /// Files by their names after `/assets/`.
    var assets: [String: StaticFile] = [:]
}

extension StaticFiles {
    /// The dashboard, as it is compiled into the program; `deploy/runbook_page.py` makes its page
    /// of the runbook from `deploy/runbook.md`. Without the library for charts, there are numbers
    /// only.
    package static func dashboard(charts: [UInt8]?) -> StaticFiles {
        var files = StaticFiles(
            page: StaticFile("html", bytes: page_html.copy),
            runbook: StaticFile("html", bytes: runbook_html.copy),
            assets: ["page.css": StaticFile("css", bytes: page_css.copy)]
        )
        for (name, script) in scripts {
            files.assets[name] = StaticFile("javascript", bytes: script.copy)
        }
        files.assets["chart.js"] = charts.map { StaticFile("javascript", bytes: $0) }
        return files
    }

    private static let scripts = [
        ("api.js", api_js), ("app.js", app_js), ("charts.js", charts_js),
        ("connections.js", connections_js),
        ("device.js", device_js), ("devices.js", devices_js), ("dom.js", dom_js),
        ("explain.js", explain_js), ("format.js", format_js), ("history.js", history_js),
        ("live.js", live_js), ("origins.js", origins_js), ("overview.js", overview_js),
        ("page.js", page_js), ("pushes.js", pushes_js), ("range.js", range_js),
        ("repeat.js", repeat_js), ("stream.js", stream_js), ("theme.js", theme_js),
        ("words.js", words_js),
    ]

    /// The path of the dashboard with the code of a one-time link, which stands where a browser
    /// sends it to no server.
    package static func dashboardPath(forCode code: String) -> String { "/#once=\(code)" }

    /// The Content-Security-Policy of the dashboard: only its own scripts and styles, nothing
    /// inline, no other server, and no markup made from strings.
    static let dashboardPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'"
}

/// A file with its response headers, and with an entity tag that lets browsers reuse their copy.
struct StaticFile: Sendable {
    let headers: [(name: String, value: String)]
    let bytes: [UInt8]
    /// The entity tag, in quotation marks: a hash of the bytes.
    private let tag: String

    /// The media type of text has its charset; the Content-Security-Policy says what the page may
    /// load and run.
    init(contentType: String, bytes: [UInt8], policy: String) {
        self.bytes = bytes
        tag = "\"\(Self.hash(bytes))\""
        headers = [
            ("Content-Type", contentType),
            // Browsers ask again each time, and get the file only if it has changed.
            ("Cache-Control", "no-cache"),
            ("ETag", tag),
            ("Content-Security-Policy", policy),
            ("Referrer-Policy", "no-referrer"),
        ]
    }

    /// A file of the dashboard, in UTF-8.
    fileprivate init(_ type: String, bytes: [UInt8]) {
        self.init(
            contentType: "text/\(type); charset=utf-8",
            bytes: bytes,
            policy: StaticFiles.dashboardPolicy
        )
    }

    /// The file, or 304 if the client has it already.
    func answer(to request: any RequestFields) -> HTTPResponse {
        let isKnown = request.header("If-None-Match").map(names) ?? false
        return HTTPResponse(
            status: isKnown ? 304 : 200,
            headers: headers,
            body: isKnown ? [] : bytes
        )
    }

    /// True if a list of entity tags contains this file's, or is `*`.
    private func names(_ list: String) -> Bool {
        list.split(separator: ",").contains { item in
            let item = item.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            let text = String(item)
            return text == "*" || text == tag || text == "W/" + tag
        }
    }

    /// The hash of the bytes by FNV-1a with 64 bits. It only has to distinguish builds; a collision
    /// would be of no use to an attacker.
    private static func hash(_ bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
