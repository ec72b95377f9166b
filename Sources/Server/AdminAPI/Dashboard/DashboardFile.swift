/// A file of the dashboard, compiled into the program.
///
///     GET /             DashboardFile.page
///     GET /assets/NAME  the one of DashboardFile.assets, or the machine's Chart.js for `chart.js`
///
/// The page loads nothing from other servers.
package struct DashboardFile: Sendable {
    /// File name, the last part of the path.
    package let name: String
    /// The media type, with its charset.
    package let contentType: String
    package let bytes: [UInt8]

    private init(_ name: String, _ type: String, _ bytes: [UInt8]) {
        self.name = name
        contentType = "text/\(type); charset=utf-8"
        self.bytes = bytes
    }

    /// The answer to `GET /`.
    package static let page = DashboardFile("page.html", "html", PackageResources.page_html)

    /// The files under `/assets/`.
    package static let assets = [
        DashboardFile("page.css", "css", PackageResources.page_css),
        script("api.js", PackageResources.api_js),
        script("charts.js", PackageResources.charts_js),
        script("connections.js", PackageResources.connections_js),
        script("device.js", PackageResources.device_js),
        script("devices.js", PackageResources.devices_js),
        script("dom.js", PackageResources.dom_js),
        script("explain.js", PackageResources.explain_js),
        script("format.js", PackageResources.format_js),
        script("history.js", PackageResources.history_js),
        script("live.js", PackageResources.live_js),
        script("origins.js", PackageResources.origins_js),
        script("overview.js", PackageResources.overview_js),
        script("page.js", PackageResources.page_js),
        script("repeat.js", PackageResources.repeat_js),
        script("theme.js", PackageResources.theme_js),
        script("words.js", PackageResources.words_js),
    ]

    private static func script(_ name: String, _ bytes: [UInt8]) -> DashboardFile {
        DashboardFile(name, "javascript", bytes)
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
