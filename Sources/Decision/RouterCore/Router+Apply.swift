package import DataStructures
internal import ReloadModel

/// What an input has done, for the log.
enum InputEffect {
    /// Nothing: the log need not have it.
    case none
    case change
    /// No more than `deviceAttached` says.
    case attachment(connection: UInt32, device: DeviceID)
}

/// Whether what an input asks for has to be within the limits.
enum Admission {
    /// It comes from outside.
    case asked
    /// It was admitted when it came, perhaps by an older version or under higher limits: it stays.
    case given
}

/// Inputs of this process: applied to the state, and then logged.
extension Router {
    /// Applies an input of this process and logs it.
    ///
    /// - Throws: why a device's frame is refused; then nothing has changed.
    mutating func perform(_ input: borrowing RouterInput) throws(ProtocolError) {
        switch try state.apply(input, .asked, &outbox) {
        case .none: break
        case .change: log.append(input, at: state.clock)
        case .attachment(let connection, let device):
            log.append(.deviceAttached(connection: connection, device: device), at: state.clock)
        }
        if !outbox.evicted.isEmpty { tellEvicted() }
    }

    /// The same for inputs that cannot be refused.
    mutating func commit(_ input: borrowing RouterInput) {
        do throws(ProtocolError) {
            try perform(input)
        } catch {
            preconditionFailure("an input was refused: \(error.message)")
        }
    }
}

// MARK: - The log

extension Router {
    /// Begins to log inputs; until then nothing is encoded.
    package mutating func startJournal() { log.start() }

    /// The inputs since `journalTaken`: the body of a journal record.
    package var journalBytes: ByteView { log.bytes }

    package mutating func journalTaken() { log.clear() }

    /// A checkpoint does not have the pauses: the log behind it begins with them.
    mutating func logPauses() {
        for app in state.paused.apps.sorted() {
            log.append(.appPaused(app: app, isPaused: true), at: state.clock)
        }
    }
}
