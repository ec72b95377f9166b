/// Links by which Kubernetes replaces all files of a volume at once.
enum KubernetesLink {
    /// Whether a file is a link as Kubernetes makes them: `file` → `..data/file`, where `..data` →
    /// `..2026_11_29…` is the present version of the whole folder.
    static func isOne(_ path: String) -> Bool {
        let (folder, name) = split(path)
        guard linkTarget(path) == "..data/\(name)",
            let version = linkTarget("\(folder)..data")
        else { return false }
        return version.hasPrefix("..") && version != ".." && !version.contains("/")
    }

    /// The folder of a path, with a slash at its end unless it is empty, and the name in it.
    private static func split(_ path: String) -> (folder: Substring, name: Substring) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path[...]) }
        return (path[...slash], path[path.index(after: slash)...])
    }
}
