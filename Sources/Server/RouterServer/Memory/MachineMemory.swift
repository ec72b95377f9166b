internal import AdminAPI
internal import Basics

/// The memory that this process may use on its machine.
package struct MachineMemory: Equatable, Sendable {
    /// The memory that this process may use, in bytes.
    package var byteCount: Int
    /// What sets the limit, as the end of a sentence.
    package var source: String

    /// Makes a limit from its size and a text that says what sets it.
    package init(byteCount: Int, source: String) {
        self.byteCount = byteCount
        self.source = source
    }

    /// Finds the smallest limit among the machine's memory and the control groups of this process;
    /// nil if the system does not report any. Tests use another root of the file system.
    package static func find(root: String = "/") -> MachineMemory? {
        let machine = machineBytes(root).map {
            MachineMemory(byteCount: $0, source: "the memory of the machine")
        }
        return ([machine] + groupLimits(root)).compactMap { $0 }.min { $0.byteCount < $1.byteCount }
    }

    private static func machineBytes(_ root: String) -> Int? {
        let lines = systemText(root + "proc/meminfo")?.split(separator: "\n") ?? []
        // MemTotal:       24602132 kB
        guard let line = lines.first(where: { $0.hasPrefix("MemTotal:") }) else { return nil }
        let words = line.split(separator: " ")
        return words.count > 1 ? Int(words[1]).map { $0 << 10 } : nil
    }

    // MARK: - Control groups

    /// Limits of the control groups that contain this process, and of their parents.
    private static func groupLimits(_ root: String) -> [MachineMemory?] {
        var found: [MachineMemory?] = []
        for line in systemText(root + "proc/self/cgroup")?.split(separator: "\n") ?? [] {
            // Version 2: 0::/system.slice/reload-router.service
            // Version 1: 7:cpu,memory:/docker/5f…
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            if parts.count < 3 { continue }
            let path = String(parts[2])
            if parts[0] == "0" && parts[1].isEmpty {
                found += limits(root + "sys/fs/cgroup", path: path, file: "memory.max")
            } else if parts[1].split(separator: ",").contains("memory") {
                found += limits(
                    root + "sys/fs/cgroup/memory",
                    path: path,
                    file: "memory.limit_in_bytes"
                )
            }
        }
        return found
    }

    /// Limits of a group and its parents up to the root. In a container, the path may be the host's
    /// and not exist here; the root of the mounted file system is then the container's own group.
    private static func limits(_ base: String, path: String, file: String) -> [MachineMemory?] {
        var found: [MachineMemory?] = []
        var path = Substring(path)
        while true {
            let limitPath = base + (path == "/" ? "" : String(path)) + "/" + file
            found.append(limit(limitPath))
            guard path.count > 1, let slash = path.lastIndex(of: "/") else { return found }
            path = slash == path.startIndex ? "/" : path[..<slash]
        }
    }

    private static func limit(_ path: String) -> MachineMemory? {
        guard let first = systemText(path)?.split(whereSeparator: \.isWhitespace).first,
            let byteCount = Int(first), byteCount > 0
        else { return nil }
        return MachineMemory(byteCount: byteCount, source: "the limit in \(path)")
    }
}
