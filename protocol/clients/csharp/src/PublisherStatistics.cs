namespace ReloadRouter.Client
{
    /// <summary>A publisher's counters since it was made.</summary>
    public struct PublisherStatistics
    {
        internal PublisherStatistics(
            long queued, long sent, long acknowledged, long rejected, long matched, long reconnects)
        {
            Queued = queued;
            Sent = sent;
            Acknowledged = acknowledged;
            Rejected = rejected;
            Matched = matched;
            Reconnects = reconnects;
        }

        /// <summary>Pushes that are neither acknowledged nor rejected now, sent or not.</summary>
        public long Queued { get; }

        /// <summary>Pushes passed to a connection; one that is sent again counts again.</summary>
        public long Sent { get; }

        /// <summary>Pushes that the router has accepted.</summary>
        public long Acknowledged { get; }

        /// <summary>Pushes that the router has refused.</summary>
        public long Rejected { get; }

        /// <summary>Widgets that the acknowledged pushes matched.</summary>
        public long Matched { get; }

        /// <summary>Sessions after the first one.</summary>
        public long Reconnects { get; }

        /// <inheritdoc/>
        public override string ToString()
        {
            return "queued " + Queued + ", sent " + Sent + ", acknowledged " + Acknowledged
                + ", rejected " + Rejected + ", matched " + Matched + ", reconnects " + Reconnects;
        }
    }
}
