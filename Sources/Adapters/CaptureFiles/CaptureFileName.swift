/// How the files of a recording are called: `name.rrc`, then `name.000002.rrc`, and so on.
struct CaptureFileName {
    /// Up to the last dot of the last component, and what is behind it with the dot.
    private let stem: String
    private let suffix: String

    /// - Parameter path: of the first file.
    init(path: String) {
        let nameStart = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        // A name that begins with its only dot has no suffix.
        if let dot = path[nameStart...].lastIndex(of: "."), dot > nameStart {
            stem = String(path[..<dot])
            suffix = String(path[dot...])
        } else {
            stem = path
            suffix = ""
        }
    }

    /// The path of a file, from 1.
    func path(_ number: Int) -> String {
        if number == 1 { return stem + suffix }
        let digits = String(number)
        let zeros = String(repeating: "0", count: max(0, 6 - digits.count))
        return stem + "." + zeros + digits + suffix
    }
}
