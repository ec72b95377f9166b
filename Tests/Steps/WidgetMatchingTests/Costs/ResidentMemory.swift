import Foundation

/// The memory that the system has given this process.
enum ResidentMemory {
    static func byteCount() -> Int {
        let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let fields = text?.split(separator: " ") ?? []
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4_096 : 0
    }
}
