internal import APNsConnections
internal import Basics
internal import Cryptography
internal import LibuvLoop
internal import Logging
internal import RouterCore

/// Which apps are reached by APNs, and with which keys and certificates.
extension APNsDelivery {
    /// Reads all keys and certificates anew, and makes lanes of the apps in force, which send again
    /// if they were stopped: at the start, after a change of the app file, and on SIGHUP.
    ///
    /// An app whose key or certificate cannot be used is logged, and its pushes wait.
    func readAgain(for router: borrowing Router) {
        for service in services { service.removeLanes() }
        lanes = []
        var registry = APNsServiceRegistry(services)
        var problems: [APNsCredential: String] = [:]
        var read: Set<APNsCredential> = []
        for app in router.appsWithAPNs {
            guard let settings = router.apnsSettings(of: app) else { continue }
            let credential = settings.credential
            let name = router.appName(app)
            let used = APNsEnvironment.allCases.map { registry.service(of: credential, in: $0) }
            if read.insert(credential).inserted { problems[credential] = readSecret(of: used) }
            if let problem = problems[credential] {
                warn(name, about: credential, problem: problem)
            }
            for id in APNsLaneID.all(of: app) {
                let service = registry.service(of: credential, in: id.environment)
                add(APNsLane(id, of: service, app: name, settings: settings))
            }
        }
        services = registry.services
        mayHaveUnused = true
        for service in services where service.needsConnections { service.pool?.renewConnections() }
        mailbox.wake()
    }

    private func add(_ lane: APNsLane) {
        lane.service.append(lane)
        while lanes.count <= lane.lane.index { lanes.append(nil) }
        lanes[lane.lane.index] = lane
    }

    /// Uses the key or certificate that its file has now, for the services that share the provider;
    /// says why it cannot. If it is another one than before, the present connections, which are
    /// bound to the former one, answer and end.
    private func readSecret(of used: [APNsService]) -> String? {
        guard let provider = used.first?.provider else { return nil }
        var secret: APNsProvider.Secret?
        var problem: String?
        do {
            if settings.folder == nil { throw MissingFolder() }
            switch provider.name {
            case .key(let id, _): secret = .key(try settings.readKey(id))
            case .certificate(let name): secret = .certificate(try settings.readCertificate(name))
            }
        } catch {
            problem = "\(error)"
        }
        if provider.replace(secret) {
            for service in used {
                if let certificate = provider.certificate {
                    service.pool?.replaceSecurity(certificate.security(for: service.environment))
                }
                service.pool?.renewConnections()
            }
        }
        return problem
    }

    private func warn(_ app: String, about credential: APNsCredential, problem: String) {
        logger.warning(
            credential.unusableMessage,
            metadata: [
                "app": "\(app)", "credential": "\(credential.text)",
                "folder": "\(settings.folder ?? "-")", "error": "\(problem)",
            ]
        )
    }
}

/// `serve` has no folder of keys.
private struct MissingFolder: Error, CustomStringConvertible {
    let description = "serve has no --apns-keys"
}

extension APNsCredential {
    /// The credential as the log names it; the ids of keys and teams are no secrets.
    var text: String {
        switch self {
        case .key(let id, let team): "key \(id) of team \(team)"
        case .certificate(let name): "certificate \(name)"
        }
    }

    /// That it cannot be used, and what an operator can do.
    fileprivate var unusableMessage: Logger.Message {
        switch self {
        case .key:
            "an app's key for APNs cannot be used: its pushes wait until it can, and SIGHUP is sent"
        case .certificate:
            """
            an app's certificate for APNs cannot be used: its pushes wait until it can, and SIGHUP \
            is sent
            """
        }
    }
}
