internal import AdminAPI
internal import HTTPServing

/// Bodies that another thread reads.
extension PublishListener {
    /// Lets a body be read on another thread. Returns false if too many wait.
    func readLater(_ body: BodyPieces, terms: PushTerms, of connection: HTTPConnection) -> Bool {
        let client = connection.client
        client.awaitsReading = bodyReader.add(
            LongBody(request: connection.requestID, terms: terms, body: body)
        )
        return client.awaitsReading
    }

    /// Passes the pushes of bodies that were read to the router, if their clients are still there.
    func publishRead() {
        for read in bodyReader.takeResults() {
            guard let connection = http.connection(of: read.request),
                connection.client.awaitsReading
            else { continue }
            connection.client.awaitsReading = false
            switch read.pushes {
            case .success(let pushes):
                // There may be many.
                publishing.publishLater(pushes, for: PublishExchange(connection, of: self))
            case .failure(let problem): answer(connection, with: PublishAnswer(problem))
            }
        }
    }
}

/// A body of pushes that would take the loop too long, on its way to the thread that reads it.
struct LongBody: Sendable {
    let request: HTTPConnection.RequestID
    let terms: PushTerms
    let body: BodyPieces
}

/// The pushes of such a body, or why its request is refused.
struct ReadBody: Sendable {
    let request: HTTPConnection.RequestID
    let pushes: Result<PushRequest, AdminProblem>

    /// Reads a body.
    init(_ long: LongBody) {
        request = long.request
        do throws(AdminProblem) {
            pushes = .success(try long.terms.request(long.body.joined))
        } catch {
            pushes = .failure(error)
        }
    }
}
