/// A finished plot, as SVG.
package struct PlotPicture: Equatable, Sendable {
    private let canvas: SVGCanvas

    init(_ canvas: SVGCanvas) {
        self.canvas = canvas
    }

    /// The plot as part of a page, whose style sheet defines fonts and dark colours.
    package func inline(title: String) -> String {
        "<svg viewBox=\"0 0 \(canvas.width) \(canvas.height)\" role=\"img\" "
            + "aria-label=\"\(title.escaped)\">\(canvas.elements)</svg>"
    }

    /// The plot as a file of its own, with fonts and both colour schemes.
    package var standalone: String {
        canvas.file(
            attributes: "font-family=\"system-ui, 'Helvetica Neue', Helvetica, Arial, sans-serif\"",
            head: """
                <style>\(PlotColor.darkRules)</style>
                <rect width="\(canvas.width)" height="\(canvas.height)" rx="10" \
                fill="\(PlotColor.paper.light)"/>
                """
        )
    }
}
