/// The names of a recording's files: `name.rrc`, then `name.000002.rrc`, and so on.
struct CaptureFileName {
    /// The path up to the last dot of its last component.
    private let stem: String
    /// The rest of the path, with the dot; empty if there is none.
    private let suffix: String

    /// - Parameter path: path of the first file.
    init(path: String) {
        let nameStart = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        // A name whose only dot is its first character has no suffix.
        if let dot = path[nameStart...].lastIndex(of: "."), dot > nameStart {
            stem = String(path[..<dot])
            suffix = String(path[dot...])
        } else {
            stem = path
            suffix = ""
        }
    }

    /// The path of a file, by its number counted from 1.
    func path(_ number: Int) -> String {
        assert(number >= 1, "files are counted from 1")
        if number == 1 { return stem + suffix }
        let digits = String(number)
        let zeros = String(repeating: "0", count: max(0, 6 - digits.count))
        return stem + "." + zeros + digits + suffix
    }
}
