internal import Basics

/// Finds the service for each lane while lanes are made anew (`APNsDelivery.readAgain`): the one
/// that there is already for the credential and the environment, so that its connections stay in
/// use, or a new one.
///
/// The two services of a credential, one for each environment, share a provider, and so its token.
struct APNsServiceRegistry {
    private struct Key: Hashable {
        let credential: APNsCredential
        let environment: APNsEnvironment
    }

    /// All services: those it began with, used or not, and then the new ones.
    private(set) var services: [APNsService]
    private var known: [Key: APNsService] = [:]
    private var providers: [APNsCredential: APNsProvider] = [:]

    /// Begins with the present services.
    init(_ services: [APNsService]) {
        self.services = services
        for service in services {
            let credential = service.provider.name
            known[Key(credential: credential, environment: service.environment)] = service
            providers[credential] = service.provider
        }
    }

    /// The service of a credential, which is made if there is none.
    mutating func service(
        of credential: APNsCredential,
        in environment: APNsEnvironment
    ) -> APNsService {
        let key = Key(credential: credential, environment: environment)
        if let service = known[key] { return service }
        let provider = providers[credential] ?? APNsProvider(credential)
        providers[credential] = provider
        let service = APNsService(provider, environment: environment)
        known[key] = service
        services.append(service)
        return service
    }
}
