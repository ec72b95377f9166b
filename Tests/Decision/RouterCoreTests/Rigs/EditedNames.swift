/// The new names of widgets that a device has under other names, by their former ones: those of a
/// look, their kind and family, of which one went and one came.
func editedNames<Look: Hashable>(
    from former: [String: Look],
    to next: [String: Look]
) -> [String: String] {
    let gone = Dictionary(grouping: former.filter { next[$0.key] == nil }, by: \.value)
    let new = Dictionary(grouping: next.filter { former[$0.key] == nil }, by: \.value)
    var names: [String: String] = [:]
    for (look, widgets) in gone where widgets.count == 1 && new[look]?.count == 1 {
        names[widgets[0].key] = new[look]![0].key
    }
    return names
}
