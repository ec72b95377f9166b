/// The pictures of a report.
package struct FleetPlots: Equatable, Sendable {
    package let origin: PlotPicture
    package let traffic: PlotPicture
    package let staleness: PlotPicture
    package let latency: PlotPicture
    /// Nil if there were no reloads.
    package let causes: PlotPicture?

    /// Draws them.
    ///
    /// - Throws: `GnuplotError` with what is wrong, if one cannot be drawn.
    package init(of report: FleetReport, drawnBy gnuplot: Gnuplot) throws(GnuplotError) {
        origin = try PlotPicture(report.originPlot, drawnBy: gnuplot)
        traffic = try PlotPicture(report.trafficPlot, drawnBy: gnuplot)
        staleness = try PlotPicture(report.stalenessPlot, drawnBy: gnuplot)
        latency = try PlotPicture(report.latencyPlot, drawnBy: gnuplot)
        causes =
            report.causes.isEmpty
            ? nil : try PlotPicture(report.causePlot, drawnBy: gnuplot)
    }

    init(
        origin: PlotPicture,
        traffic: PlotPicture,
        staleness: PlotPicture,
        latency: PlotPicture,
        causes: PlotPicture?
    ) {
        self.origin = origin
        self.traffic = traffic
        self.staleness = staleness
        self.latency = latency
        self.causes = causes
    }
}
