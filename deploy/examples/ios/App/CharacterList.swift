import SwiftUI

/// The app's only screen.
struct CharacterList: View {
    let characters = ["elf-42", "orc-7", "wizard-1"]

    var body: some View {
        List(characters, id: \.self) { name in
            Text(name)
        }
    }
}
