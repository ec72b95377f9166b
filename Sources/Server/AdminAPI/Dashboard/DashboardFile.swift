/// A file of the dashboard, as it lies in the program.
///
///     GET /             DashboardFile.page
///     GET /assets/NAME  the one of DashboardFile.assets, or the machine's Chart.js for `chart.js`
///
/// The page asks nobody but the server that it comes from.
package struct DashboardFile: Sendable {
    /// The last part of its path.
    package let name: String
    /// With the charset of text.
    package let contentType: String
    package let bytes: [UInt8]

    private init(_ name: String, _ type: String, _ bytes: [UInt8]) {
        self.name = name
        contentType = "text/\(type); charset=utf-8"
        self.bytes = bytes
    }

    /// What `/` is answered with.
    package static let page = DashboardFile("page.html", "html", PackageResources.page_html)

    /// What lies under `/assets/`.
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

    /// Where Debian's libjs-chart.js keeps what the page asks for as `/assets/chart.js`.
    ///
    /// The page shows its numbers without it, and says so.
    package static let chartLibraryPath = "/usr/share/javascript/chart.js/chart.min.js"

    /// The policy that the page keeps to: its own scripts and styles, nothing inline, no other server,
    /// and no markup made of strings.
    package static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'"
}
