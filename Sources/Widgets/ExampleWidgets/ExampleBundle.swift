package import WidgetTimelines

/// The bundles of widgets that a fleet can run, by the names that scenarios have for them.
package enum ExampleBundle: String, CaseIterable, Sendable {
    case game
    case news
    case stocks

    /// The app that the widgets are of.
    package var app: String {
        switch self {
        case .game: "com.mygame"
        case .news: "org.dailynews"
        case .stocks: "com.tickerboard"
        }
    }

    /// What the bundle declares, in its order.
    package var declarations: [WidgetDeclaration] {
        switch self {
        case .game: GameWidgets.declarations
        case .news: NewsWidgets.declarations
        case .stocks: StockWidgets.declarations
        }
    }
}
