/// What a router's log says of its checkpoints.
struct BenchCheckpoints {
    /// How many have begun, and how many are on the disk.
    private(set) var begun = 0
    private(set) var sealed = 0
    /// Of the last one that is on the disk: what was written for it, how long that took, and the
    /// longest turn of the router's loop meanwhile.
    private(set) var byteCount = 0
    private(set) var milliseconds = 0
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

    /// A number of the log's metadata; 0 if it is not there.
    static func number(_ name: String, in line: Substring) -> Int {
        let word = line.split(separator: " ").first { $0.hasPrefix("\(name)=") }
        return word.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
    }
}
