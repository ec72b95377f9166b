internal import Basics

extension ProducerTable {
    /// Checks that each known producer is found by its name, and is in the chain of idle ones if it
    /// is idle, once, in order and since a running time that has come; and that `counts` is right.
    func checkInvariants(running: Milliseconds) throws(InvariantViolation) {
        try checkPart("ProducerTable", by: slots.checkInvariants())
        try checkPart("ProducerTable", by: index.checkInvariants())
        try checkPart("ProducerTable", by: names.checkInvariants())
        try checkInvariant(
            index.count == count,
            otherwise: "\(index.count) names are in the index of \(count) producers"
        )
        var rejectedCount = 0
        var counted: [AppID: Int] = [:]
        var idleCount = 0
        for number in slots.ids where isKnown(number) {
            let producer = self[number]
            counted[producer.app, default: 0] += 1
            if producer.isIdle { idleCount += 1 }
            rejectedCount += rejections[number].known.count
            try checkInvariant(
                find(of: producer.app, named: name(number)) == number,
                otherwise: "producer \(number) is not found by its name"
            )
        }
        try checkInvariant(
            rejectedCount == rejections.count,
            otherwise: "\(rejections.count) rejected pushes are counted of \(rejectedCount)"
        )
        for app in counts.ids {
            let found = counted[app] ?? 0
            try checkInvariant(
                counts[app] == found,
                otherwise: "\(counts[app]) producers of app \(app) are counted of \(found)"
            )
        }
        try checkChain(of: idleCount, running: running)
    }

    private func checkChain(of idleCount: Int, running: Milliseconds) throws(InvariantViolation) {
        var (older, next, length) = (ProducerID.none, oldest, 0)
        var since = Milliseconds(rawValue: .min)
        while !next.isNone {
            length += 1
            try checkInvariant(
                length <= idleCount && isKnown(next) && self[next].isIdle,
                otherwise: "producer \(next) is not idle, and in the chain of idle ones, "
                    + "or there twice"
            )
            let producer = self[next]
            try checkInvariant(
                producer.older == older && producer.idleSince >= since
                    && producer.idleSince <= running,
                otherwise: "producer \(next), idle since \(producer.idleSince), follows \(older), "
                    + "idle since \(since)"
            )
            (older, next, since) = (next, producer.newer, producer.idleSince)
        }
        try checkInvariant(
            length == idleCount && newest == older,
            otherwise: "\(length) of \(idleCount) idle producers are in the chain, "
                + "which ends at \(older) and not at \(newest)"
        )
    }
}
