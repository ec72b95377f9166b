package io.github.reloadrouter;

/**
 * A publisher's counters since it was made.
 *
 * @param queued pushes that are neither acknowledged nor rejected now, sent or not
 * @param sent pushes passed to a connection; one that is sent again counts again
 * @param acknowledged pushes that the router has accepted
 * @param rejected pushes that the router has refused
 * @param matched widgets that the acknowledged pushes matched
 * @param reconnects sessions after the first one
 */
public record PublisherStatistics(
        long queued, long sent, long acknowledged, long rejected, long matched, long reconnects) {}
