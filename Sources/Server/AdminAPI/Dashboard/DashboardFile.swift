internal import Basics
internal import CAdminFiles
internal import CIntrinsics

/// A file of the dashboard, compiled into the program.
///
///     GET /             DashboardFile.page
///     GET /runbook      DashboardFile.runbook
///     GET /assets/NAME  the one of DashboardFile.assets, or ChartLibrary for `chart.js`
///
/// The page loads nothing from other servers.
package struct DashboardFile: Sendable {
    /// File name, the last part of the path.
    package let name: String
    /// The media type, with its charset.
    package let contentType: String
    /// The content, in UTF-8.
    package let bytes: [UInt8]

    private init(_ name: String, type: String, file: EmbeddedFile) {
        self.name = name
        contentType = "text/\(type); charset=utf-8"
        bytes = file.copy
    }

    /// The path of the page with the code of a one-time link, which stands where a browser sends it
    /// to no server.
    package static func path(forCode code: String) -> String { "/#once=\(code)" }

    /// The answer to `GET /`.
    package static let page = DashboardFile(
        "page.html",
        type: "html",
        file: page_html
    )

    /// The answer to `GET /runbook`, which `deploy/runbook_page.py` makes of `deploy/runbook.md`.
    package static let runbook = DashboardFile(
        "runbook.html",
        type: "html",
        file: runbook_html
    )

    /// The files under `/assets/`.
    package static let assets = [
        DashboardFile("page.css", type: "css", file: page_css),
        script("api.js", file: api_js),
        script("charts.js", file: charts_js),
        script("connections.js", file: connections_js),
        script("device.js", file: device_js),
        script("devices.js", file: devices_js),
        script("dom.js", file: dom_js),
        script("explain.js", file: explain_js),
        script("format.js", file: format_js),
        script("history.js", file: history_js),
        script("live.js", file: live_js),
        script("origins.js", file: origins_js),
        script("overview.js", file: overview_js),
        script("page.js", file: page_js),
        script("range.js", file: range_js),
        script("repeat.js", file: repeat_js),
        script("theme.js", file: theme_js),
        script("words.js", file: words_js),
    ]

    private static func script(_ name: String, file: EmbeddedFile) -> DashboardFile {
        DashboardFile(name, type: "javascript", file: file)
    }

    /// The Content-Security-Policy of the page: only its own scripts and styles, nothing inline, no
    /// other server, and no markup made from strings.
    package static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'"
}
