namespace ReloadRouter.Client {
    /// <summary>A publisher's counters since it was made.</summary>
    public struct PublisherStatistics {
        /// <summary>Pushes that are neither acknowledged nor rejected now, sent or not.</summary>
        public long Queued { get; internal set; }

        /// <summary>Pushes passed to a connection; one that is sent again counts again.</summary>
        public long Sent { get; internal set; }

        /// <summary>Pushes that the router has accepted.</summary>
        public long Acknowledged { get; internal set; }

        /// <summary>Pushes that the router has refused.</summary>
        public long Rejected { get; internal set; }

        /// <summary>Widgets that the acknowledged pushes matched.</summary>
        public long Matched { get; internal set; }

        /// <summary>Sessions after the first one.</summary>
        public long Reconnects { get; internal set; }

        /// <inheritdoc/>
        public override string ToString() {
            return "queued " + Queued + ", sent " + Sent + ", acknowledged " + Acknowledged
                + ", rejected " + Rejected + ", matched " + Matched + ", reconnects " + Reconnects;
        }
    }
}
