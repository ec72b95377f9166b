internal import Foundation
internal import WidgetTimelines

/// A price, as the stock app's server tells it.
struct Quote: Decodable {
    let price: Double
    var change: Double?

    /// `187.10`.
    var priceText: String { Self.text(price) }

    /// `+1.22`; nil if it is not known.
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

/// A price with its change, as far as they are known.
struct QuoteView: View {
    let quote: Quote?

    var body: some View {
        HStack {
            Text(quote.priceText)
            if let change = quote?.changeText { Text(change) }
        }
    }
}
