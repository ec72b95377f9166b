package import WidgetTimelines

/// The widgets of a stock app.
package struct StockWidgets: WidgetBundle {
    /// Makes the bundle.
    package init() {}

    /// The widgets of the bundle, in the order of the gallery.
    package var body: some Widget {
        QuoteWidget()
        Watchlist()
        LotWidget()
        MarketWidget()
        QuoteComplication()
    }
}
