/// Chart.js, which draws the charts of the dashboard and the plots of reports.
package enum ChartLibrary {
    /// The file that Debian's libjs-chart.js installs. Without it, pages show numbers alone, and
    /// say so.
    package static let path = "/usr/share/javascript/chart.js/chart.min.js"
}
