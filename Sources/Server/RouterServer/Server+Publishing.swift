package import AdminAPI
internal import Platform
internal import RouterCore
internal import Times

/// Requests of publishers over HTTP. They come from the thread of their listener through a mailbox
/// of their own, so that many of them cannot keep operators waiting.
extension Server {
    /// Sets the queue that requests of publishers are taken from; to be called before `run`.
    package func setPublishMailbox(_ mailbox: AdminMailbox) {
        assert(admin.publishMailbox == nil, "publishers have a queue already")
        admin.publishMailbox = mailbox
    }

    /// Judges publishers over HTTP by the credentials of the app file in force.
    package var publisherGate: PublisherGate { gatekeeper.publisherGate }

    /// True if requests of publishers wait.
    var hasPublishRequests: Bool {
        admin.waitingPublisher != nil || admin.publishMailbox?.hasRequests == true
    }

    /// Begins requests of publishers until `end`, one at least.
    func performPublishRequests(until end: ExactTime) {
        while let entry = admin.waitingPublisher.take() ?? admin.publishMailbox?.take() {
            if phase == .ended { return entry.answer(.problem(.draining)) }
            guard begin(entry) else {
                // The router is busy, and continues in the next tick.
                admin.waitingPublisher = entry
                return
            }
            if ExactTime.now >= end { return }
        }
    }

    /// Begins a publisher's request, or refuses it.
    ///
    /// - Returns: false if it has to wait.
    private func begin(_ entry: AdminMailbox.Entry) -> Bool {
        guard case .push(let request) = entry.request else {
            preconditionFailure("publishers ask only to push")
        }
        if phase != .serving {
            entry.answer(.problem(.draining))
            return true
        }
        if !canPush(request) { return false }
        do throws(AdminProblem) {
            try push(request, for: entry)
        } catch {
            entry.answer(.problem(error))
        }
        return true
    }

    /// Answers every waiting request of a publisher with `draining`: the router is ending.
    func closePublishing() {
        admin.waitingPublisher.take()?.answer(.problem(.draining))
        admin.publishMailbox?.close()
    }
}
