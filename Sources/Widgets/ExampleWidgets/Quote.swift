internal import Foundation
internal import WidgetTimelines

/// A price as the stock app's server describes it.
struct Quote: Decodable {
    let price: Double
    var change: Double?

    /// The price with two decimals: `187.10`.
    var priceText: String { Self.text(price) }

    /// The change with its sign: `+1.22`; nil if it is not known.
    var changeText: String? {
        change.map { ($0 < 0 ? "" : "+") + Self.text($0) }
    }

    private static func text(_ number: Double) -> String {
        number.formatted(
            .number.precision(.fractionLength(2)).grouping(.never).locale(Locale(identifier: "en"))
        )
    }
}

extension Quote? {
    var priceText: String { self?.priceText ?? "–" }
}

/// Displays a price with its change, or a dash.
struct QuoteView: View {
    let quote: Quote?

    var body: some View {
        HStack {
            Text(quote.priceText)
            if let change = quote?.changeText { Text(change) }
        }
    }
}
