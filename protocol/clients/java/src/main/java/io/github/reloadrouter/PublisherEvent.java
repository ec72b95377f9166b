package io.github.reloadrouter;

import java.util.Map;

/** What a publisher reports when it happens. A {@code message} is for people. */
public sealed interface PublisherEvent {
    /** The router has accepted a session, and {@code lastSeq} as the producer's last push. */
    record Connected(long lastSeq) implements PublisherEvent {}

    /**
     * A connection, or an attempt to make one, has ended; with the code of the router's ERROR, null if there was none.
     * {@code retry} is {@code reconnect}, {@code later} (after the longest pause), or {@code no}: then {@link Failed}
     * follows.
     */
    record Disconnected(String code, String retry, String message) implements PublisherEvent {}

    /** The router has refused the push {@code seq}, for a reason whose code is stable, as {@code payload-not-json}. */
    record Rejected(long seq, String code, String message) implements PublisherEvent {}

    /**
     * The router has lost pushes that it had answered, because its store was replaced by an older one. The publisher
     * does not have them any more, either.
     */
    record Lost(long from, long through) implements PublisherEvent {}

    /**
     * What became of the push {@code seq}, or with 0 of the app, if {@link PublisherOptions#outcomes} has asked for it:
     * the body of OUTCOME, as maps, lists, texts, numbers and booleans.
     */
    record Outcome(long seq, Map<String, Object> body) implements PublisherEvent {}

    /** The publisher has ended, and will not connect again: a code of the router, or {@code outbox}. */
    record Failed(String code, String message) implements PublisherEvent {}
}
