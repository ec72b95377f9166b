internal import Basics

/// Where a batch of pushes comes from.
enum PushSource: Hashable, BitwiseCopyable {
    /// A producer whose pushes come to this router first: where there is only one partition.
    case producer(ProducerID)
    /// The home of a producer, which has recorded its pushes and forwards them.
    case home(HomeProducer)

    /// The producer, if it is this router's.
    var producer: ProducerID? {
        switch self {
        case .producer(let producer): producer
        case .home: nil
        }
    }
}

/// A producer of a home, as other partitions know it.
struct HomeProducer: Hashable, BitwiseCopyable {
    /// The partition that is the producer's home.
    var home: PartitionID
    /// Its number there.
    var producer: ProducerID
    /// Its app, which has the same number in all partitions.
    var app: AppID
}
