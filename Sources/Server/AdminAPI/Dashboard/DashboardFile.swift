/// A file of the dashboard, compiled into the program.
///
///     GET /             DashboardFile.page
///     GET /runbook      DashboardFile.runbook
///     GET /assets/NAME  the one of DashboardFile.assets, or the machine's Chart.js for `chart.js`
///
/// The page loads nothing from other servers.
package struct DashboardFile: Sendable {
    /// File name, the last part of the path.
    package let name: String
    /// The media type, with its charset.
    package let contentType: String
    /// The content, in UTF-8.
    package let bytes: [UInt8]

    private init(_ name: String, type: String, bytes: [UInt8]) {
        self.name = name
        contentType = "text/\(type); charset=utf-8"
        self.bytes = bytes
    }

    /// The path of the page with the code of a one-time link, which stands where a browser sends it
    /// to no server.
    package static func path(forCode code: String) -> String { "/#once=\(code)" }

    /// The answer to `GET /`.
    package static let page = DashboardFile(
        "page.html",
        type: "html",
        bytes: PackageResources.page_html
    )

    /// The answer to `GET /runbook`, which `deploy/runbook_page.py` makes of `deploy/runbook.md`.
    package static let runbook = DashboardFile(
        "runbook.html",
        type: "html",
        bytes: PackageResources.runbook_html
    )

    /// The files under `/assets/`.
    package static let assets = [
        DashboardFile("page.css", type: "css", bytes: PackageResources.page_css),
        script("api.js", bytes: PackageResources.api_js),
        script("charts.js", bytes: PackageResources.charts_js),
        script("connections.js", bytes: PackageResources.connections_js),
        script("device.js", bytes: PackageResources.device_js),
        script("devices.js", bytes: PackageResources.devices_js),
        script("dom.js", bytes: PackageResources.dom_js),
        script("explain.js", bytes: PackageResources.explain_js),
        script("format.js", bytes: PackageResources.format_js),
        script("history.js", bytes: PackageResources.history_js),
        script("live.js", bytes: PackageResources.live_js),
        script("origins.js", bytes: PackageResources.origins_js),
        script("overview.js", bytes: PackageResources.overview_js),
        script("page.js", bytes: PackageResources.page_js),
        script("range.js", bytes: PackageResources.range_js),
        script("repeat.js", bytes: PackageResources.repeat_js),
        script("theme.js", bytes: PackageResources.theme_js),
        script("words.js", bytes: PackageResources.words_js),
    ]

    private static func script(_ name: String, bytes: [UInt8]) -> DashboardFile {
        DashboardFile(name, type: "javascript", bytes: bytes)
    }

    /// Where Debian's libjs-chart.js installs the file that the page loads as `/assets/chart.js`.
    ///
    /// Without it, the page shows numbers without charts, and says so.
    package static let chartLibraryPath = "/usr/share/javascript/chart.js/chart.min.js"

    /// The Content-Security-Policy of the page: only its own scripts and styles, nothing inline, no
    /// other server, and no markup made from strings.
    package static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'"
}
