package import Basics

/// What an input has changed, which decides what is logged of it.
enum InputEffect {
    /// Nothing, so that it need not be logged.
    case none
    /// Something: the input is logged.
    case change
    /// Only who speaks for a device, and when it has given its tokens: `deviceAttached` is logged
    /// instead of the frame, if a session has sent it, and `tokensConfirmed`, if there are tokens.
    case repetition(device: DeviceID, connection: ConnectionSlot, hasTokens: Bool)
}

/// Whether an input has to be within the limits.
enum Admission {
    /// The limits apply: the input comes from outside.
    case new
    /// The limits do not apply: the input was accepted when it came, perhaps by an older version or
    /// under higher limits.
    case logged
}

/// Inputs of this process: applied to the state, and then logged.
extension Router {
    /// Applies an input of this process and logs it.
    ///
    /// - Throws: why a device's frame is refused; then nothing has changed.
    mutating func perform(_ input: borrowing RouterInput) throws(ProtocolError) {
        switch try state.apply(input, admission: .new, into: &outbox) {
        case .none: break
        case .change: log.append(input, at: state.reloads.clock)
        case .repetition(let device, let connection, let hasTokens):
            if !connection.isNone {
                log.append(
                    .deviceAttached(connection: connection, device: device),
                    at: state.reloads.clock
                )
            }
            if hasTokens { log.append(.tokensConfirmed(device: device), at: state.reloads.clock) }
        }
    }

    /// Applies and logs an input that cannot be refused.
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

    /// The inputs since the last `journalTaken`: the body of a journal record.
    package var journalBytes: ByteView { log.bytes }

    /// Empties the log, after the driver has taken `journalBytes`.
    package mutating func journalTaken() { log.clear() }

    /// Logs which apps are paused. A checkpoint does not contain that, so the log after one begins
    /// with it.
    mutating func logPauses() {
        for app in state.reloads.schedules.paused.apps.sorted() {
            log.append(.appPaused(app: app, isPaused: true), at: state.reloads.clock)
        }
    }
}
