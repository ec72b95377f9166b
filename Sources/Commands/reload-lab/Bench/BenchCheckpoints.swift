/// What a router's log reports of its checkpoints.
struct BenchCheckpoints {
    /// Checkpoints that were begun.
    private(set) var begun = 0
    /// Checkpoints that are on the disk.
    private(set) var sealed = 0
    /// Bytes written for the last one on the disk.
    private(set) var byteCount = 0
    /// How long it took, in ms.
    private(set) var milliseconds = 0
    /// The longest tick of the router's loop meanwhile, in µs.
    private(set) var longestTurnMicroseconds = 0

    init(_ log: String) {
        for line in log.split(separator: "\n") {
            if line.hasSuffix(" a checkpoint begins") {
                begun += 1
            } else if line.hasSuffix(" the checkpoint is on the disk") {
                sealed += 1
                byteCount = Self.number("bytes", in: line)
                milliseconds = Self.number("milliseconds", in: line)
                longestTurnMicroseconds = Self.number("longestTurnMicroseconds", in: line)
            }
        }
    }

    /// A number in a log line's metadata; 0 if it is not there.
    static func number(_ name: String, in line: Substring) -> Int {
        let word = line.split(separator: " ").first { $0.hasPrefix("\(name)=") }
        return word.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
    }
}
