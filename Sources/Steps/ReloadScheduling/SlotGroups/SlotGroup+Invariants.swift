internal import Basics

extension SlotGroup {
    /// Checks that `live` and `finished` agree with the entries, that `holes` lists only holes,
    /// each once, and that the segments follow each other.
    func checkInvariants() throws(InvariantViolation) {
        var (members, ended) = (0 as UInt32, 0 as UInt32)
        for index in 0..<entries.count {
            if SlotEntry.isMember(entries[index]) { members += 1 }
            if entries[index] == SlotEntry.finished { ended += 1 }
        }
        try checkInvariant(
            members == live && ended == finished,
            otherwise: "the group of second \(second) has \(members) members and \(ended) finished "
                + "ones, and counts \(live) and \(finished)"
        )
        var listed: Set<UInt32> = []
        for position in 0..<holes.count where holes[position] < entries.count {
            let hole = holes[position]
            try checkInvariant(
                entries[hole] == SlotEntry.hole && listed.insert(hole).inserted,
                otherwise: "entry \(hole) of second \(second) is listed as a hole, and is none"
            )
        }
        for index in 0..<segments.count {
            let before = index == 0 ? undelayed : segments[index - 1].start
            let segment = segments[index]
            try checkInvariant(
                segment.start > before && segment.start <= entries.count
                    && (segment.columns.count == 0 || segment.columns.count == segment.width.value),
                otherwise: "segment \(index) of second \(second) begins at \(segment.start), "
                    + "after \(before) and of \(entries.count)"
            )
        }
        try checkInvariant(
            offset < 1_000 && span <= 1_000 && generation <= SlotPosition.generationMask,
            otherwise: "the group of second \(second) has offset \(offset) and span \(span)"
        )
    }
}
