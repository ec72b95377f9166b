internal import APNsConnections
internal import Cryptography
internal import Logging
internal import ReloadModel
internal import RouterCore

/// Which apps are reached by APNs, and with which keys.
extension APNsDelivery {
    /// Reads all keys anew, and makes lanes of the apps in force, which send again if they were
    /// stopped: at the start, after a change of the app file, and on SIGHUP.
    ///
    /// An app whose key cannot be used is logged, and its pushes wait.
    func readAgain() {
        for service in services { service.removeLanes() }
        var problems: [APNsProvider.Name: String] = [:]
        var read: Set<APNsProvider.Name> = []
        for app in server.router.appsWithAPNs {
            guard let settings = server.router.apnsSettings(of: app) else { continue }
            let provider = provider(APNsProvider.Name(team: settings.team, key: settings.key))
            let name = server.router.appName(app)
            if read.insert(provider.name).inserted {
                problems[provider.name] = replaceKey(of: provider)
            }
            if let problem = problems[provider.name] { warn(name, key: settings.key, of: problem) }
            for lane in PushLane.all(of: app) {
                service(of: provider, environment: lane.environment)
                    .append(APNsLane(lane, app: name, settings: settings))
            }
        }
        for service in services where service.needsConnections {
            service.pool?.renewConnections()
        }
        server.scheduleTick()
    }

    /// Uses the key that its file has now. If it is another one than before, the present
    /// connections, which are bound to the former one, answer and end.
    ///
    /// - Returns: why it cannot be used; nil if it can.
    private func replaceKey(of provider: APNsProvider) -> String? {
        var key: ProviderKey?
        var problem: String?
        if settings.folder == nil {
            problem = "serve has no --apns-keys"
        } else {
            do { key = try settings.readKey(provider.name.key) } catch { problem = "\(error)" }
        }
        if provider.replaceKey(key) { renewConnections(of: provider) }
        return problem
    }

    private func warn(_ app: String, key: String, of problem: String) {
        server.logger.warning(
            "an app's key for APNs cannot be used: its pushes wait until it can, and SIGHUP is sent",
            metadata: [
                "app": "\(app)", "key": "\(key)", "folder": "\(settings.folder ?? "-")",
                "error": "\(problem)",
            ]
        )
    }

    private func provider(_ name: APNsProvider.Name) -> APNsProvider {
        services.first { $0.provider.name == name }?.provider ?? APNsProvider(name)
    }

    private func service(
        of provider: APNsProvider,
        environment: APNsEnvironment
    ) -> APNsService {
        let known = services.first {
            $0.provider === provider && $0.environment == environment
        }
        if let known { return known }
        let service = APNsService(provider, environment: environment)
        services.append(service)
        return service
    }
}
