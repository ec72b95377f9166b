/// The checkpoints that a router's log reports.
struct BenchCheckpoints {
    /// The number of checkpoints that were begun.
    private(set) var begun = 0
    /// The number of checkpoints that are complete on the disk.
    private(set) var sealed = 0
    /// The bytes written for the last complete one.
    private(set) var byteCount = 0
    /// How long the last complete one took, in ms.
    private(set) var milliseconds = 0
    /// The longest tick of the router's loop during the last complete one, in µs.
    private(set) var longestTickMicroseconds = 0

    init(_ log: String) {
        for line in log.split(separator: "\n") {
            if line.hasSuffix(" a checkpoint begins") {
                begun += 1
            } else if line.hasSuffix(" the checkpoint is on the disk") {
                sealed += 1
                byteCount = Self.number("bytes", in: line)
                milliseconds = Self.number("milliseconds", in: line)
                longestTickMicroseconds = Self.number("longestTickMicroseconds", in: line)
            }
        }
    }

    /// Returns a number from a log line's metadata; 0 if it is not there.
    static func number(_ name: String, in line: Substring) -> Int {
        let word = line.split(separator: " ").first { $0.hasPrefix("\(name)=") }
        return word.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
    }
}
