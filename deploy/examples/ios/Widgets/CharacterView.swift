import SwiftUI
import WidgetKit

/// Shows an entry.
struct CharacterView: View {
    let entry: CharacterEntry

    var body: some View {
        VStack(alignment: .leading) {
            Text(entry.name)
                .font(.headline)
            Text(entry.health.map { "\($0) %" } ?? "–")
                .font(.title)
        }
        .containerBackground(.background, for: .widget)
    }
}
